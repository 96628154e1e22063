// Symbolic analysis of a block-sparse matrix: where every number lies and what updates what, worked out once.
//
// Blocks are gathered into panels (supernodes): runs of blocks, consecutive in the elimination order, whose columns
// have the same structure. A panel is one dense column-major array: its own square on top, then the rows of all later
// blocks it reaches, in elimination order. Eliminating it subtracts Y D^-1 Y^T from later panels; every dense rectangle
// of that update is a Piece with its target address, so that the numeric phase is a plain loop over pieces. (George &
// Liu, "Computer Solution of Large Sparse Positive Definite Systems", 1981; Ng & Peyton, supernodes, 1993.)
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/block_graph.hpp"

namespace filum::math {

// Where block (a, b) lies in the values: element (r, c) is values[offset + r + c * stride], or, when transposed,
// values[offset + c + r * stride].
struct Slot {
  std::ptrdiff_t offset;
  int stride;
  bool transposed;

  std::ptrdiff_t at(int r, int c) const {
    return offset + (transposed ? c + std::ptrdiff_t{r} * stride : r + std::ptrdiff_t{c} * stride);
  }
};

class BlockPattern {
 public:
  // Rows `row` to `row + count` of a panel are the rows `x` to `x + count` of a vector in elimination order.
  struct Run {
    int row, x, count;
  };
  // target(rows x columns, leading dimension ld) -= Y[row..] D^-1 Y[column..]^T; the first `inside` rows fall into the
  // square of the target panel.
  struct Piece {
    int panel;
    std::ptrdiff_t target;
    int ld, row, rows, column, columns, inside;
  };
  struct Panel {
    std::ptrdiff_t values;  // offset of the array
    int first;              // its first column, counted in elimination order
    int width, rows, ld;
    int runs, runs_end;  // of the rows below the square, whose own are those from `first` on
    int pieces, pieces_end;
    bool in_chain;  // as most of a rod's: see kChainBelow
  };
  // A panel in a chain has four columns, and below its square the rows of the next two panels, four each, which are as
  // high as it is. Who eliminates it knows all its sizes when compiled.
  static constexpr int kChainWidth = 4;
  static constexpr int kChainBelow = 8;

  // `count` panels from `first` on and, unless `twin` < 0, side by side with each one of a second chain, which has nothing
  // to do with it: while one waits for its pivots, the other can be worked at.
  struct Stretch {
    int first, twin, count;
  };

  BlockPattern() = default;
  BlockPattern(const BlockGraph& graph, std::span<const int> order);

  std::span<const Panel> panels() const { return panels_; }
  // All panels, in an order in which they can be eliminated.
  std::span<const Stretch> stretches() const { return stretches_; }
  std::span<const Run> runs(const Panel& p) const { return {runs_.data() + p.runs, runs_.data() + p.runs_end}; }
  // The row of a vector that comes at each place of the elimination order; empty: all are where they are.
  std::span<const int> row_at() const { return row_at_; }
  std::span<const Piece> pieces(const Panel& p) const {
    return {pieces_.data() + p.pieces, pieces_.data() + p.pieces_end};
  }
  std::ptrdiff_t values() const { return values_; }                // numbers in all panels
  int rows() const { return rows_; }                               // of the matrix
  std::ptrdiff_t largest_panel() const { return largest_panel_; }  // numbers in one panel, at most
  std::ptrdiff_t lower_blocks() const { return lower_blocks_; }    // blocks below the diagonal, fill included

  // The place of block (a, b) when a does not come before b in the elimination order, or lies in the same panel.
  bool in_lower(int a, int b) const { return panel_of_[a] == panel_of_[b] || position_of_[a] > position_of_[b]; }
  Slot lower_slot(int a, int b) const;
  int position(int block) const { return position_of_[block]; }

 private:
  // Rows of a block within a panel.
  struct BlockRow {
    int position, row;
  };
  struct Structure;

  void gather_panels(const BlockGraph& graph, std::span<const int> order, const Structure& structure);
  void add_runs(int panel);
  void find_stretches();
  int chain_from(int panel) const;
  bool updates(int first, int last, int begin, int end) const;
  void add_pieces(const BlockGraph& graph, std::span<const int> order, int panel);
  bool lies_in_chain(const Panel& panel) const;
  std::span<const BlockRow> block_rows(int panel) const {
    return {block_rows_.data() + block_rows_start_[panel], block_rows_.data() + block_rows_start_[panel + 1]};
  }

  std::vector<Panel> panels_;
  std::vector<Run> runs_;
  std::vector<Piece> pieces_;
  std::vector<Stretch> stretches_;
  std::vector<int> row_at_;
  std::vector<int> position_of_, panel_of_;  // of a block
  std::vector<int> row_of_;                  // of a place in the elimination order: its first row there
  std::vector<int> block_rows_start_;        // of a panel
  std::vector<BlockRow> block_rows_;         // sorted by position
  std::ptrdiff_t values_ = 0, largest_panel_ = 0, lower_blocks_ = 0;
  int rows_ = 0;
};

}  // namespace filum::math
