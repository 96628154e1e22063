// The words that a scene file has for a choice, one table each: what the reader takes and the writer writes.
#pragma once

#include <filum/scene.hpp>

#include <string_view>

namespace filum::io {

template <class T>
struct Word {
  std::string_view text;
  T value;
};

inline constexpr Word<Mode> kModes[] = {{"statics", Mode::Statics}, {"dynamics", Mode::Dynamics}};
inline constexpr Word<BodyMotion> kMotions[] = {
    {"fixed", BodyMotion::Fixed}, {"driven", BodyMotion::Driven}, {"free", BodyMotion::Free}};
inline constexpr Word<Stepper> kSteppers[] = {
    {"implicit", Stepper::Implicit}, {"projection", Stepper::Projection}, {"variational", Stepper::Variational}};
inline constexpr Word<Integrator> kIntegrators[] = {{"energy-momentum", Integrator::EnergyMomentum},
                                                    {"implicit-euler", Integrator::ImplicitEuler},
                                                    {"bdf2", Integrator::Bdf2},
                                                    {"generalised-alpha", Integrator::GeneralisedAlpha}};
inline constexpr Word<StartKind> kStarts[] = {{"as-shaped", StartKind::AsShaped},
                                              {"equilibrium", StartKind::Equilibrium}};

inline constexpr Word<RoutingMode> kRoutingModes[] = {{"self-finding", RoutingMode::SelfFinding},
                                                      {"pulled", RoutingMode::Pulled}};

// The word for a value; empty if the table has none.
template <class T, std::size_t N>
constexpr std::string_view word_for(const Word<T> (&words)[N], T value) {
  for (const Word<T>& word : words)
    if (word.value == value) return word.text;
  return {};
}

}  // namespace filum::io
