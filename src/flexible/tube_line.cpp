#include "flexible/tube_line.hpp"

namespace filum::flexible {

double CentreLine::length() const {
  double sum = 0;
  for (std::size_t i = 1; i < centre.size(); ++i) sum += (centre[i] - centre[i - 1]).norm();
  return sum;
}

}  // namespace filum::flexible
