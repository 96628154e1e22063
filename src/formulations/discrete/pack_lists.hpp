// A state as a list of numbers and back, bit for bit: for going on with a run later.
//
// A state names its members that are lists of numbers, or numbers, by `State::visit(state, f)`.
#pragma once

#include "formulations/discrete/rod_state.hpp"

#include "rod/plastic_memory.hpp"

#include <filum/types.hpp>

#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace filum::discrete {

namespace packing {

template <class T>
inline constexpr std::size_t kNumbers = 1;
template <>
inline constexpr std::size_t kNumbers<Vec2> = 2;
template <>
inline constexpr std::size_t kNumbers<Vec3> = 3;
template <>
inline constexpr std::size_t kNumbers<Mat3> = 9;

template <class T>
void put(std::vector<double>& out, const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    out.push_back(static_cast<double>(value));
  else
    out.insert(out.end(), value.data(), value.data() + value.size());
}

template <class T>
void take(const double*& in, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = *in++ != 0;
  } else if constexpr (std::is_arithmetic_v<T>) {
    value = static_cast<T>(*in++);
  } else {
    for (int i = 0; i < value.size(); ++i) value.data()[i] = *in++;
  }
}

// How many numbers there will be.
struct Counter {
  std::size_t numbers = 0;
  template <class T>
  void operator()(const std::vector<T>& list) {
    numbers += 1 + list.size() * kNumbers<T>;
  }
  void operator()(const rod::PlasticMemory& memory) { (*this)(memory.numbers()); }
  template <class T>
  void operator()(const Varying<T>& varying) {
    numbers += 1 + varying.list.size() * T::kNumbers;
  }
  template <class T>
  void operator()(const T&) {
    ++numbers;
  }
};

struct Packer {
  std::vector<double>& out;
  template <class T>
  void operator()(const std::vector<T>& list) {
    out.push_back(static_cast<double>(list.size()));
    if constexpr (sizeof(T) == kNumbers<T> * sizeof(double) && !std::is_arithmetic_v<T>) {
      // vectors and matrices lie one behind the other
      if (!list.empty()) out.insert(out.end(), list.front().data(), list.front().data() + list.size() * kNumbers<T>);
    } else {
      for (const T& value : list) put(out, value);
    }
  }
  void operator()(const rod::PlasticMemory& memory) { (*this)(memory.numbers()); }
  template <class T>
  void operator()(const Varying<T>& varying) {
    out.push_back(static_cast<double>(varying.list.size()));
    for (T item : varying.list) item.each_number([&](auto number) { put(out, number); });
  }
  template <class T>
  void operator()(const T& value) {
    put(out, value);
  }
};

// Walks over the numbers and compares the lengths of the lists; nothing is written.
struct Fitter {
  std::span<const double> in;
  std::size_t next = 0;
  bool fits = true;
  template <class T>
  void operator()(const std::vector<T>& list) {
    fits = fits && next < in.size() && in[next] == static_cast<double>(list.size());
    next += 1 + list.size() * kNumbers<T>;
  }
  void operator()(const rod::PlasticMemory& memory) { (*this)(memory.numbers()); }
  template <class T>
  void operator()(const Varying<T>&) {
    const double most = next < in.size() ? static_cast<double>((in.size() - next) / T::kNumbers) : -1;
    const double length = most >= 0 ? in[next] : 0;
    fits = fits && length >= 0 && length <= most && length == std::floor(length);
    next += 1 + (fits ? static_cast<std::size_t>(length) * T::kNumbers : 0);
  }
  template <class T>
  void operator()(const T&) {
    ++next;
  }
};

struct Unpacker {
  const double* in;
  template <class T>
  void operator()(std::vector<T>& list) {
    ++in;
    for (T& value : list) take(in, value);
  }
  void operator()(rod::PlasticMemory& memory) {
    std::vector<double> numbers = memory.numbers();
    (*this)(numbers);
    memory = rod::PlasticMemory(std::move(numbers));
  }
  template <class T>
  void operator()(Varying<T>& varying) {
    varying.list.resize(static_cast<std::size_t>(*in++));
    for (T& item : varying.list) item.each_number([&](auto& number) { take(in, number); });
  }
  template <class T>
  void operator()(T& value) {
    take(in, value);
  }
};

}  // namespace packing

template <class State>
std::vector<double> pack_lists(const State& state) {
  packing::Counter counter;
  State::visit(state, counter);
  std::vector<double> out;
  out.reserve(counter.numbers);
  State::visit(state, packing::Packer{out});
  return out;
}

// Overwrites a state of the same model. False, and nothing changed, if the lengths of its lists differ.
template <class State>
bool unpack_lists(std::span<const double> values, State& state) {
  packing::Fitter fitter{values};
  State::visit(state, fitter);
  if (!fitter.fits || fitter.next != values.size()) return false;
  State::visit(state, packing::Unpacker{values.data()});
  return true;
}

}  // namespace filum::discrete
