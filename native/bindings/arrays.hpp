#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace phasemark {

namespace nb = nanobind;

template <class T, class... Shape>
using In = nb::ndarray<const T, nb::c_contig, nb::device::cpu, Shape...>;

template <class T>
using Out = nb::ndarray<nb::numpy, T>;

// A view that needs no NumPy: importing it takes longer than clustering a small file.
template <class T>
using View = nb::ndarray<nb::memview, T>;

// A new NumPy array that owns `data`.
template <class T>
Out<T> own(std::unique_ptr<T[]> data, std::initializer_list<std::size_t> shape) {
  T* raw = data.release();
  nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Out<T>(raw, shape, owner);
}

// A new array that takes over `values`.
template <class Array, class T>
Array taken_as(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array(kept->data(), shape, owner);
}

template <class T>
View<T> viewed(std::vector<T> values) {
  const std::size_t n = values.size();
  return taken_as<View<T>>(std::move(values), {n});
}

template <class T>
Out<T> taken(std::vector<T> values) {
  const std::size_t n = values.size();
  return taken_as<Out<T>>(std::move(values), {n});
}

}  // namespace phasemark
