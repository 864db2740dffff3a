#pragma once

#include <cstdint>

#include "multinomial/chain.hpp"

namespace phasemark {

// Of chains that know how long their states last: what chain.hpp says, in time and memory that grow with rows x states
// x longest, and with its root. The states of Yu, "Hidden semi-Markov models" (2010), with the time that a state has
// lasted beside it.
void expect_lasting(const Chain& chain, const double* log_likelihoods, const Evidence& evidence, Expected& out);
void most_likely_lasting(const Chain& chain, const double* log_likelihoods, const Evidence& evidence,
                         std::int32_t* path);

// After each row and all before it: the probability of each state for the next row (rows x states), and after how many
// rows the state is as likely to have changed as not (rows; infinity where it never is).
void foretell(const Chain& chain, const double* log_likelihoods, const Evidence& evidence, double* following,
              double* until_change);

}  // namespace phasemark
