#include "math/block_lanczos.hpp"

#include "math/dense.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::math {

namespace {

constexpr int kBlock = 8;
constexpr int kPasses = 3;  // of Gram-Schmidt: what is left may be 1e-11 of the vector
// Of a vector, that must be left after taking out the others: below it is round-off.
constexpr double kNothing = 1e-11;
// Of a residual |A x − ν x|: of its own ν, and of the largest.
constexpr double kSettled = 1e-10;
constexpr double kRoundOff = 4e-15;
// The Ritz pairs are looked at when the basis has grown by this share.
constexpr double kLook = 1.2;

}  // namespace

BlockLanczos::BlockLanczos(Operator op) : op_(std::move(op)) {
  for (int k = 0; k < kBlock && !exhausted_; ++k) exhausted_ = !add_fresh_vector();
  exhausted_ = size_ == 0;
}

bool BlockLanczos::orthonormalise(Eigen::VectorXd& x, const Eigen::MatrixXd& against, int columns) const {
  Eigen::VectorXd weighed(op_.rows);
  op_.weigh(x, weighed);
  const double before = std::sqrt(std::max(0.0, x.dot(weighed)));
  const auto others = against.leftCols(columns);
  for (int pass = 0; pass < kPasses && columns > 0; ++pass) {
    x.noalias() -= others * (others.transpose() * weighed);
    op_.weigh(x, weighed);
  }
  const double after = std::sqrt(std::max(0.0, x.dot(weighed)));
  // the negation also refuses what is not a number
  if (!(after > kNothing * before)) return false;
  x /= after;
  return true;
}

bool BlockLanczos::add_vector(Eigen::VectorXd& x) {
  if (!orthonormalise(x, basis_, size_)) return false;
  if (basis_.cols() == size_) basis_.conservativeResize(op_.rows, std::max(4 * kBlock, 2 * size_));
  basis_.col(size_++) = x;
  return true;
}

bool BlockLanczos::add_fresh_vector() {
  Eigen::VectorXd x(op_.rows);
  // a linear congruential generator (Knuth's MMIX), its upper bits in [−1, 1)
  for (double& v : x) {
    seed_ = seed_ * 6364136223846793005U + 1442695040888963407U;
    v = static_cast<double>(seed_ >> 11U) * 0x1p-52 - 1;
  }
  op_.apply(x);
  return add_vector(x);
}

void BlockLanczos::refresh() {
  for (int k = 0; k < kBlock; ++k)
    if (!add_fresh_vector()) return;
  exhausted_ = false;
}

// A applied to the columns that wait for it; what is new in the images waits next. False if there is nothing new.
bool BlockLanczos::grow() {
  const int first = done_;
  const int last = size_;
  projected_.conservativeResize(last, last);
  Eigen::VectorXd x(op_.rows);
  Eigen::VectorXd weighed(op_.rows);
  std::vector<Eigen::VectorXd> images;
  for (int k = first; k < last; ++k) {
    x = basis_.col(k);
    op_.apply(x);
    images.push_back(x);
    op_.weigh(x, weighed);
    projected_.col(k) = basis_.leftCols(last).transpose() * weighed;
    projected_.row(k) = projected_.col(k).transpose();
  }
  done_ = last;
  for (Eigen::VectorXd& image : images) {
    x = image;
    add_vector(x);
  }
  // what leads out of the basis: for the residuals
  overflow_.resize(size_ - last, last - first);
  for (int k = first; k < last; ++k) {
    op_.weigh(images[static_cast<std::size_t>(k - first)], weighed);
    overflow_.col(k - first) = basis_.middleCols(last, size_ - last).transpose() * weighed;
  }
  return size_ > last;
}

// Ritz pairs, and whether the first `count` of them are eigenpairs.
bool BlockLanczos::settled(int count) {
  const SymmetricEigen ritz = symmetric_eigen(Eigen::MatrixXd(projected_.topLeftCorner(done_, done_)));
  values_ = ritz.values.reverse();
  shapes_ = ritz.vectors.rowwise().reverse();
  const auto tail = shapes_.bottomRows(overflow_.cols());
  found_ = 0;
  while (found_ < std::min(count, done_)) {
    const double residual = overflow_.rows() > 0 ? (overflow_ * tail.col(found_)).norm() : 0;
    if (!(residual <= kSettled * std::abs(values_[found_]) + kRoundOff * values_[0])) break;
    ++found_;
  }
  return found_ >= count;
}

bool BlockLanczos::run(int count, int most, const std::function<bool()>& stops) {
  int look = std::min(count, done_);
  while (!exhausted_ && done_ < most) {
    if (stops && stops()) return true;
    exhausted_ = !grow();
    // vectors that ran out are replaced by others before giving up
    if (exhausted_ && add_fresh_vector()) exhausted_ = false;
    if (done_ < look && !exhausted_ && done_ < most) continue;
    if (settled(count)) return false;
    look = static_cast<int>(kLook * done_);
  }
  return false;
}

Eigen::MatrixXd BlockLanczos::vectors(int count) const {
  return basis_.leftCols(done_) * shapes_.leftCols(std::min(count, found_));
}

}  // namespace filum::math
