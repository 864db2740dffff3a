#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>

namespace phasemark {

namespace nb = nanobind;

template <class T, class... Shape>
using In = nb::ndarray<const T, nb::c_contig, nb::device::cpu, Shape...>;

template <class T>
using Out = nb::ndarray<nb::numpy, T>;

// A new NumPy array that owns `data`.
template <class T>
Out<T> own(std::unique_ptr<T[]> data, std::initializer_list<std::size_t> shape) {
  T* raw = data.release();
  nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Out<T>(raw, shape, owner);
}

void bind_classification(nb::module_& m);
void bind_kmeans(nb::module_& m);
void bind_projection(nb::module_& m);
void bind_varint(nb::module_& m);
void bind_vectors(nb::module_& m);

}  // namespace phasemark
