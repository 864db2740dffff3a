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

  Chain(std::size_t states, bool ordered);
};

// What the E step of a chain gives.
struct Expected {
  double log_likelihood = 0;
  std::vector<double> posteriors;  // rows x width
  std::vector<double> starts;      // expected number of sequences that begin in each state
  std::vector<double> moves;       // states x states, expected number of moves
};

// Posteriors of the states given all evidence, by forward and backward recursion, from log likelihoods of the rows
// (rows x width). All in logarithms where a state is too unlikely for a double, so nothing underflows. Rabiner, "A
// Tutorial on Hidden Markov Models" (1989), III.
void expect(const Chain& chain, const double* log_likelihoods, const Evidence& evidence, Expected& out);

// The most likely states of all rows together (Viterbi), ties to the lowest; of a mixture, of each row.
void most_likely(const Chain& chain, const double* log_likelihoods, const Evidence& evidence, std::int32_t* path);

}  // namespace phasemark
