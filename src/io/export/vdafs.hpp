// VDA-FS (DIN 66301), as far as centre lines need it: curves of polynomial pieces.
//
// Records of 80 columns, the last eight a number; a statement «NAME = KEYWORD / values» may go over several, broken
// behind a comma. A CURVE has so many pieces, the global parameters of their ends, and of each piece the order
// (degree + 1) and the coefficients of x, of y and of z, lowest power first, over a local parameter from 0 to 1.
// Millimetres.
#pragma once

#include <filum/result.hpp>
#include <filum/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

struct VdaPiece {
  std::vector<Vec3> coefficients;  // lowest power first, m
  [[nodiscard]] Vec3 at(double t) const;
};
struct VdaCurve {
  std::string name;
  std::vector<double> parameters;  // one more than pieces
  std::vector<VdaPiece> pieces;
};

std::string vdafs_text(const std::vector<VdaCurve>& curves, const std::string& title);
// Other elements than curves are passed over.
Result<std::vector<VdaCurve>> parse_vdafs(std::string_view text, const std::string& file);

}  // namespace filum::io
