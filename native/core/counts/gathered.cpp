#include "counts/gathered.hpp"

#include <vector>

namespace phasemark {

SparseRows gathered(std::span<const std::int64_t> indptr, std::span<const std::int32_t> indices,
                    std::span<const std::int64_t> data, std::span<const std::int64_t> group, std::size_t groups,
                    std::span<const std::int32_t> place, std::size_t places) {
  // The rows in the order of their groups, and where each group begins among them.
  std::vector<std::size_t> first(groups + 1), order(group.size());
  for (const std::int64_t g : group) ++first[static_cast<std::size_t>(g) + 1];
  for (std::size_t g = 0; g < groups; ++g) first[g + 1] += first[g];
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::size_t row = 0; row < group.size(); ++row) order[next[static_cast<std::size_t>(group[row])]++] = row;

  SparseRows out;
  SparseRow sum(places);
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t at = first[g]; at < first[g + 1]; ++at)
      for (auto i = static_cast<std::size_t>(indptr[order[at]]); i < static_cast<std::size_t>(indptr[order[at] + 1]); ++i)
        sum.add(place[static_cast<std::size_t>(indices[i])], data[i]);
    sum.take(out);
  }
  return out;
}

}  // namespace phasemark
