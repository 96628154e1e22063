// Direct solver for unsymmetric block-sparse systems over a symmetric pattern: the LU twin of BlockLdlt.
//
// A = L D U with unit triangles, rows exchanged inside a panel only. The panels of L and of U^T share one layout:
// values() holds all panels of the lower part, then those of the transposed upper part, so the same kernels serve both.
#pragma once

#include <span>
#include <vector>

#include "math/block_factor.hpp"

namespace filum::math {

class BlockLu : public BlockFactor<BlockLu> {
 public:
  // The only call that allocates. An empty order means minimum_degree_order.
  void analyse(const BlockGraph& graph, std::span<const int> order = {});

  // Block (a, b); (a, b) and (b, a) are distinct numbers. Blocks above the diagonal are stored transposed.
  Slot slot(int a, int b) const;

  // Whether the last factor met a pivot that carried no information (and was replaced).
  bool singular() const { return nil_ > 0; }

 private:
  friend BlockFactor<BlockLu>;
  void begin();
  template <int N>
  bool factor_square(int panel);
  bool factor_squares(int panel, int twin);
  template <int N, int Below, class T>
  void eliminate(int panel);
  template <int N>
  void times_inverse(int panel, double* z) const;
  std::ptrdiff_t upper() const { return pattern_.values(); }
  static constexpr bool exchanges_columns() { return false; }

  void note_scales(int panel);
  void note_scale(int panel);

  // scale_: largest original number of each column of the squares
  std::vector<double> scaled_lower_, scaled_upper_;  // one panel of each kind times D^-1
  std::vector<char> noted_;                          // of a panel: its scale has been taken down
  int nil_ = 0;
};

extern template class BlockFactor<BlockLu>;

}  // namespace filum::math
