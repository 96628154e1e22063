#include "math/block_pattern.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace filum::math {

namespace {

// Blocks join a panel as long as at most one number in so many of it is a zero stored for the sake of the shape; narrow
// panels gain most from being joined (measured on chains of 3 + 1 and of 4 rows).
constexpr int kNarrowPadding = 4, kWidePadding = 16;

}  // namespace

// For each block, in elimination order: the positions of the later blocks its column reaches, fill included, sorted.
struct BlockPattern::Structure {
  std::vector<int> start, index;
  std::span<const int> of(int position) const {
    return {index.data() + start[position], index.data() + start[position + 1]};
  }

  Structure(const BlockGraph& graph, std::span<const int> order, std::span<const int> position_of) {
    const int n = graph.blocks();
    const auto adjacency = graph.adjacency();
    // children in the elimination tree as linked lists
    std::vector<int> first_child(n, -1), next_child(n, -1), mark(n, -1);
    start.assign(1, 0);
    for (int k = 0; k < n; ++k) {
      const auto add = [&](int position) {
        if (position > k && mark[position] != k) {
          mark[position] = k;
          index.push_back(position);
        }
      };
      // own neighbours and whatever the children reach
      for (int b : adjacency.of(order[k])) add(position_of[b]);
      for (int child = first_child[k]; child >= 0; child = next_child[child]) {
        for (int i = start[child]; i < start[child + 1]; ++i) add(index[i]);
      }
      std::sort(index.begin() + start[k], index.end());
      start.push_back(static_cast<int>(index.size()));
      // the first block reached is the parent
      if (start[k] < start[k + 1]) {
        const int parent = index[start[k]];
        next_child[k] = first_child[parent];
        first_child[parent] = k;
      }
    }
  }
};

BlockPattern::BlockPattern(const BlockGraph& graph, std::span<const int> order) {
  FILUM_ASSERT(static_cast<int>(order.size()) == graph.blocks());
  rows_ = graph.rows();
  position_of_.resize(graph.blocks());
  row_of_.assign(1, 0);
  for (int k = 0; k < graph.blocks(); ++k) {
    position_of_[order[k]] = k;
    row_of_.push_back(row_of_.back() + graph.size(order[k]));
  }
  const Structure structure(graph, order, position_of_);
  lower_blocks_ = static_cast<std::ptrdiff_t>(structure.index.size());
  gather_panels(graph, order, structure);
  for (int panel = 0; panel < static_cast<int>(panels_.size()); ++panel) {
    add_runs(panel);
    add_pieces(graph, order, panel);
    panels_[panel].in_chain = lies_in_chain(panels_[panel]);
  }
  find_stretches();
  if (std::is_sorted(order.begin(), order.end())) return;
  row_at_.reserve(rows_);
  for (const int block : order)
    for (int r = 0; r < graph.size(block); ++r) row_at_.push_back(graph.first_row(block) + r);
}

// The end of a chain of panels that begins here.
int BlockPattern::chain_from(int panel) const {
  const int panels = static_cast<int>(panels_.size());
  while (panel < panels && panels_[panel].in_chain) ++panel;
  return panel;
}

// Whether one of the panels `first` to `last` updates one of those from `begin` to `end`.
bool BlockPattern::updates(int first, int last, int begin, int end) const {
  for (int panel = first; panel < last; ++panel)
    for (const Piece& piece : pieces(panels_[panel]))
      if (piece.panel >= begin && piece.panel < end) return true;
  return false;
}

// A chain goes with the next one, as far as both go, if that one does not wait for it or for what lies between them.
void BlockPattern::find_stretches() {
  const int panels = static_cast<int>(panels_.size());
  const auto alone = [&](int begin, int end) {
    if (begin < end) stretches_.push_back({begin, -1, end - begin});
  };
  for (int begin = 0; begin < panels;) {
    const int end = chain_from(begin);
    int next = end;
    while (next < panels && !panels_[next].in_chain) ++next;
    const int count = std::min(end - begin, chain_from(next) - next);
    if (count > 0 && !updates(begin, next, next, next + count)) {
      stretches_.push_back({begin, next, count});
      alone(begin + count, next);
      begin = next + count;
    } else {
      alone(begin, next);
      begin = next;
    }
  }
}

bool BlockPattern::lies_in_chain(const Panel& p) const {
  if (p.width != kChainWidth || p.rows != kChainWidth + kChainBelow) return false;
  const auto below = runs(p);
  if (below.size() != 1 || below[0].x != p.first + kChainWidth) return false;
  const auto updates = pieces(p);
  int row = kChainWidth;
  for (const Piece& piece : updates) {
    if (piece.ld != p.ld || piece.row != row || piece.column != row || piece.columns != kChainWidth ||
        piece.inside != kChainWidth || piece.rows != p.rows - row)
      return false;
    row += kChainWidth;
  }
  return row == p.rows;
}

void BlockPattern::gather_panels(const BlockGraph& graph, std::span<const int> order, const Structure& structure) {
  panel_of_.resize(graph.blocks());
  block_rows_start_.assign(1, 0);
  // rows of a column's structure
  const auto height = [&](std::span<const int> positions) {
    int sum = 0;
    for (int position : positions) sum += graph.size(order[position]);
    return sum;
  };
  int first = 0;
  for (int k = 0, end; k < graph.blocks(); k = end) {
    Panel panel{};
    panel.values = values_;
    panel.first = first;
    panel.width = graph.size(order[k]);
    // take in the next block while its column has nearly the same structure and the panel stays narrow
    int padding = 0;
    for (end = k + 1; end < graph.blocks(); ++end) {
      const auto above = structure.of(end - 1), here = structure.of(end);
      const int width = panel.width + graph.size(order[end]);
      if (above.empty() || above[0] != end || width > kMaxBlockSize) break;
      // what the columns before would have to store as zeros
      const int missing = height(here) + graph.size(order[end]) - height(above);
      const int zeros = padding + missing * panel.width;
      if (zeros * (width <= 4 ? kNarrowPadding : kWidePadding) > width * (width + height(here))) break;
      panel.width = width;
      padding = zeros;
    }
    // its blocks, then the rows below
    const auto add = [&](int position) {
      block_rows_.push_back({position, panel.rows});
      panel.rows += graph.size(order[position]);
    };
    for (int position = k; position < end; ++position) {
      panel_of_[order[position]] = static_cast<int>(panels_.size());
      add(position);
    }
    for (int position : structure.of(end - 1)) add(position);
    // columns start at even addresses, so that pairs of rows stay aligned
    panel.ld = panel.rows + panel.rows % 2;
    const std::ptrdiff_t numbers = std::ptrdiff_t{panel.ld} * panel.width;
    values_ += numbers;
    largest_panel_ = std::max(largest_panel_, numbers);
    first += panel.width;
    block_rows_start_.push_back(static_cast<int>(block_rows_.size()));
    panels_.push_back(panel);
  }
}

void BlockPattern::add_runs(int panel) {
  Panel& p = panels_[panel];
  p.runs = static_cast<int>(runs_.size());
  for (const BlockRow& block : block_rows(panel)) {
    if (block.row < p.width) continue;
    const int x = row_of_[block.position], count = row_of_[block.position + 1] - x;
    if (static_cast<int>(runs_.size()) > p.runs && runs_.back().x + runs_.back().count == x) {
      runs_.back().count += count;
    } else {
      runs_.push_back({block.row, x, count});
    }
  }
  p.runs_end = static_cast<int>(runs_.size());
}

void BlockPattern::add_pieces(const BlockGraph& graph, std::span<const int> order, int panel) {
  Panel& p = panels_[panel];
  p.pieces = static_cast<int>(pieces_.size());
  const auto rows = block_rows(panel);
  const auto size = [&](std::size_t i) { return graph.size(order[rows[i].position]); };
  const auto target_of = [&](std::size_t i) { return panel_of_[order[rows[i].position]]; };

  struct Range {
    int source, target, count;
  };
  std::vector<Range> row_ranges, column_ranges;
  const auto extend = [](std::vector<Range>& ranges, int source, int target, int count) {
    if (!ranges.empty() && ranges.back().target + ranges.back().count == target) {
      ranges.back().count += count;
    } else {
      ranges.push_back({source, target, count});
    }
  };

  std::size_t begin = 0;
  while (begin < rows.size() && rows[begin].row < p.width) ++begin;
  for (std::size_t end; begin < rows.size(); begin = end) {
    // the blocks of one target panel, and where they and all later rows lie in it
    const int target = target_of(begin);
    const Panel& t = panels_[target];
    row_ranges.clear();
    column_ranges.clear();
    auto place = block_rows(target).begin();
    end = begin;
    for (std::size_t i = begin; i < rows.size(); ++i) {
      while (place->position != rows[i].position) ++place;
      extend(row_ranges, rows[i].row, place->row, size(i));
      if (target_of(i) != target) continue;
      extend(column_ranges, rows[i].row, place->row, size(i));
      end = i + 1;
    }
    for (const Range& c : column_ranges) {
      for (const Range& r : row_ranges) {
        pieces_.push_back({target, t.values + r.target + std::ptrdiff_t{c.target} * t.ld, t.ld, r.source, r.count,
                           c.source, c.count, std::clamp(t.width - r.target, 0, r.count)});
      }
    }
  }
  p.pieces_end = static_cast<int>(pieces_.size());
}

Slot BlockPattern::lower_slot(int a, int b) const {
  FILUM_ASSERT(in_lower(a, b));
  const auto row_in = [&](int block) {
    const auto rows = block_rows(panel_of_[b]);
    const auto found = std::lower_bound(rows.begin(), rows.end(), position_of_[block],
                                        [](const BlockRow& row, int position) { return row.position < position; });
    FILUM_ASSERT(found != rows.end() && found->position == position_of_[block]);
    return found->row;
  };
  const Panel& p = panels_[panel_of_[b]];
  return {p.values + row_in(a) + std::ptrdiff_t{row_in(b)} * p.ld, p.ld, false};
}

}  // namespace filum::math
