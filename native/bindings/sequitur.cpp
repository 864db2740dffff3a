#include "sequitur/sequitur.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "sequitur/grammar.hpp"
#include "sequitur/occurrences.hpp"

namespace phasemark {

namespace {

using Vector = In<std::int64_t, nb::ndim<1>>;

template <class T>
nb::tuple grammar_of(In<T, nb::ndim<1>> symbols, std::uint64_t seed, std::size_t limit) {
  FlatGrammar grammar;
  {
    nb::gil_scoped_release release;
    grammar = sequitur(std::span<const T>(symbols.data(), symbols.shape(0)), seed, limit,
                       [](std::size_t) { see_signals(); });
  }
  return nb::make_tuple(own(std::move(grammar.symbols), {grammar.size}),
                        own(std::move(grammar.offsets), {grammar.rules + 1}));
}

GrammarView view_of(const Vector& symbols, const Vector& offsets) {
  return {{symbols.data(), symbols.shape(0)}, {offsets.data(), offsets.shape(0)}};
}

// An array with a number for each rule; None where one does not fit.
template <class Function>
nb::object each_rule(const Vector& symbols, const Vector& offsets, Function function) {
  const GrammarView grammar = view_of(symbols, offsets);
  auto numbers = std::make_unique<std::int64_t[]>(grammar.rules());
  bool fits = false;
  {
    nb::gil_scoped_release release;
    fits = function(grammar, numbers.get());
  }
  return fits ? nb::cast(own(std::move(numbers), {grammar.rules()})) : nb::none();
}

nb::object lengths(Vector symbols, Vector offsets) { return each_rule(symbols, offsets, expanded_lengths); }

nb::object uses(Vector symbols, Vector offsets) { return each_rule(symbols, offsets, expanded_uses); }

Out<std::int64_t> expanded(Vector symbols, Vector offsets, Vector lengths, std::size_t rule) {
  const auto size = static_cast<std::size_t>(lengths.data()[rule]);
  std::unique_ptr<std::int64_t[]> out(new std::int64_t[size]);
  {
    nb::gil_scoped_release release;
    expand_rule(view_of(symbols, offsets), rule, {lengths.data(), lengths.shape(0)}, out.get(), [] { see_signals(); });
  }
  return own(std::move(out), {size});
}

using Marks = In<std::uint8_t, nb::ndim<1>>;

template <class Function>
auto walked(const Vector& symbols, const Vector& offsets, const Vector& lengths, const Marks& marked,
            Function function) {
  const std::function<void()> tell = [] { see_signals(); };
  const Walk walk{view_of(symbols, offsets), {lengths.data(), lengths.shape(0)}, {marked.data(), marked.shape(0)}, tell};
  nb::gil_scoped_release release;
  return function(walk);
}

Out<std::int64_t> weights(Vector symbols, Vector offsets, Vector lengths, Marks marked, Vector bounds) {
  std::unique_ptr<std::int64_t[]> out(new std::int64_t[lengths.shape(0)]);
  walked(symbols, offsets, lengths, marked, [&](const Walk& walk) {
    covered(walk, {bounds.data(), bounds.shape(0)}, out.get());
  });
  return own(std::move(out), {lengths.shape(0)});
}

nb::tuple starts(Vector symbols, Vector offsets, Vector lengths, Marks marked) {
  Starts found = walked(symbols, offsets, lengths, marked, marked_starts);
  return nb::make_tuple(taken(std::move(found.rules)), taken(std::move(found.starts)));
}

}  // namespace

void bind_sequitur(nb::module_& m) {
  const auto symbols = nb::arg("symbols");
  m.def("sequitur", &grammar_of<std::int32_t>, nb::arg("symbols").noconvert(), nb::arg("seed"),
        nb::arg("limit") = kMostNodes);
  m.def("sequitur", &grammar_of<std::int64_t>, nb::arg("symbols").noconvert(), nb::arg("seed"),
        nb::arg("limit") = kMostNodes);
  m.def("expanded_lengths", &lengths, symbols, nb::arg("offsets"));
  m.def("expanded_uses", &uses, symbols, nb::arg("offsets"));
  m.def("expanded", &expanded, symbols, nb::arg("offsets"), nb::arg("lengths"), nb::arg("rule"));
  m.def("covered", &weights, symbols, nb::arg("offsets"), nb::arg("lengths"), nb::arg("marked"), nb::arg("bounds"));
  m.def("marked_starts", &starts, symbols, nb::arg("offsets"), nb::arg("lengths"), nb::arg("marked"));
}

}  // namespace phasemark
