#pragma once

#include <nanobind/nanobind.h>

namespace phasemark {

namespace nb = nanobind;

// Takes the interpreter's lock and sees to signals; throws what their handlers raise.
inline bool see_signals() {
  nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  return true;
}

void bind_classification(nb::module_& m);
void bind_demangling(nb::module_& m);
void bind_counts(nb::module_& m);
void bind_events(nb::module_& m);
void bind_intervals(nb::module_& m);
void bind_kmeans(nb::module_& m);
void bind_multinomial(nb::module_& m);
void bind_numbers(nb::module_& m);
void bind_projection(nb::module_& m);
void bind_samples(nb::module_& m);
void bind_sequitur(nb::module_& m);
void bind_streams(nb::module_& m);
void bind_tracking(nb::module_& m);
void bind_vectors(nb::module_& m);

}  // namespace phasemark
