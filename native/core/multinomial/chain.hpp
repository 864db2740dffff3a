#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "multinomial/evidence.hpp"

namespace phasemark {

// How states follow one another.
struct Chain {
  std::size_t states = 0;
  bool ordered = true;        // false: a mixture, whose states do not depend on the ones before
  std::vector<double> start;  // of a sequence; of a mixture, every time
  std::vector<double> moves;  // states x states, row to column; empty for a mixture

  // Where states last as long as they do and not geometrically (a hidden semi-Markov model): states x longest, the
  // probability to leave a state after 1, 2, ... longest rows in it; the last one holds from there on. Moves are then
  // those of states that are left, and none is to itself. Empty, and longest 0, otherwise.
  std::size_t longest = 0;
  std::vector<double> leaving;

  Chain(std::size_t states, bool ordered);
};

// What the E step of a chain gives.
struct Expected {
  double log_likelihood = 0;
  std::vector<double> posteriors;  // rows x width
  std::vector<double> starts;      // expected number of sequences that begin in each state
  std::vector<double> moves;       // states x states, expected number of moves
  std::vector<double> leaves;      // states x longest, expected number of times that a state is left after so long
  std::vector<double> stays;       // states x longest, and that it is not
};

// Posteriors of the states given all evidence, by forward and backward recursion, from log likelihoods of the rows
// (rows x width). All in logarithms where a state is too unlikely for a double, so nothing underflows. Rabiner, "A
// Tutorial on Hidden Markov Models" (1989), III.
void expect(const Chain& chain, const double* log_likelihoods, const Evidence& evidence, Expected& out);

// The most likely states of all rows together (Viterbi), ties to the lowest; of a mixture, of each row.
void most_likely(const Chain& chain, const double* log_likelihoods, const Evidence& evidence, std::int32_t* path);

}  // namespace phasemark
