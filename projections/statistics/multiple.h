// Several tests at once, and the worst turn picked out of many.
#pragma once

#include <span>
#include <vector>

namespace wardiary::statistics {

// Holm's adjusted p-values, in the order given: reject those at or below the level.
std::vector<double> holm(std::span<const double> p);

// The p-value of the smallest of `choices` independent p-values: 1 - (1-p)^choices. A turn that was
// picked because it looked bad must be shown with this one.
double selected(double p, unsigned choices);

// The arithmetic mean of e-values is an e-value whatever their dependence; in logs.
double mean_log_e(std::span<const double> log_e);

// e-BH: indices of the hypotheses that may be questioned at level alpha, from the largest e down.
std::vector<std::size_t> e_bh(std::span<const double> log_e, double alpha);

}  // namespace wardiary::statistics
