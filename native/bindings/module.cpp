#include "bindings.hpp"

NB_MODULE(_core, m) {
  m.doc() = "Compiled kernels: contiguous arrays and a seed in, arrays out.";
  phasemark::bind_classification(m);
  phasemark::bind_demangling(m);
  phasemark::bind_counts(m);
  phasemark::bind_events(m);
  phasemark::bind_intervals(m);
  phasemark::bind_kmeans(m);
  phasemark::bind_multinomial(m);
  phasemark::bind_numbers(m);
  phasemark::bind_projection(m);
  phasemark::bind_samples(m);
  phasemark::bind_sequitur(m);
  phasemark::bind_streams(m);
  phasemark::bind_tracking(m);
  phasemark::bind_vectors(m);
}
