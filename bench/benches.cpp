// The list of all benches. A new one is a function in its own file that returns a Bench, entered here by hand.
#include "bench/bench.hpp"
#include "bench/block_ldlt.hpp"
#include "bench/chain.hpp"
#include "bench/channel.hpp"
#include "bench/contact.hpp"
#include "bench/cosserat.hpp"
#include "bench/dynamics.hpp"
#include "bench/mesh_tubes.hpp"
#include "bench/recording.hpp"
#include "bench/spline.hpp"
#include "bench/statics.hpp"
#include "bench/yardstick.hpp"

#include <memory>

namespace filum::bench {

namespace {

// The yardstick by itself: its quotient is 1 by definition, and its hash tells whether two machines do the same sums.
Bench yardstick_itself() {
  return {.name = "yardstick", .per = "node", .make = [] {
            const auto yardstick = std::make_shared<Yardstick>();
            return Work{.reset = [yardstick] { yardstick->reset(); },
                        .run = [yardstick] { yardstick->run(); },
                        .hash = [yardstick] { return hash_of(yardstick->solution()); },
                        .units = Yardstick::kNodes};
          }};
}

}  // namespace

const std::vector<Bench>& benches() {
  static const std::vector<Bench> all = [] {
    std::vector<Bench> listed = {yardstick_itself(),
                                         block_ldlt_chain(200),
                                         block_ldlt_chain(2000),
                                         block_ldlt_chain(20000),
                                         newton_iteration(100),
                                         newton_iteration(200),
                                         newton_iteration(2000),
                                         newton_iteration(20000),
                                         newton_iteration(100000),
                                         cold_start(),
                                         whole_solve(),
                                         hose_again(),
                                         cable_again(100),
                                         cable_rare_move(100),
                                         cable_again(100000),
                                         harness_again(),
                                         implicit_step(Integrator::EnergyMomentum, 50),
                                         implicit_step(Integrator::EnergyMomentum, 200),
                                         implicit_step(Integrator::EnergyMomentum, 2000),
                                         implicit_step(Integrator::EnergyMomentum, 20000),
                                         implicit_step(Integrator::EnergyMomentum, 100000),
                                         implicit_step(Integrator::ImplicitEuler, 200),
                                         implicit_step(Integrator::Bdf2, 200),
                                         implicit_step(Integrator::GeneralisedAlpha, 200),
                                         implicit_step(Integrator::EnergyMomentum, 200, 1),
                                         implicit_step(Integrator::ImplicitEuler, 200, 1),
                                         bounded_step_spread(100, 2),
                                         recorded_run(200),
                                         plectoneme_step(500),
                                         plectoneme_rare_step(100),
                                         explicit_step(Stepper::Projection, 200),
                                         explicit_step(Stepper::Projection, 200, Profile::Flat),
                                         explicit_step(Stepper::Variational, 200),
                                         door_cable_again(),
                                         spline_step(18),
                                         spline_step(200),
                                         spline_step(2000),
                                         spline_step(10000),
                                         chain_step(25),
                                         chain_step(50),
                                         chain_step(100),
                                         chain_step(1000),
                                         chain_step(10000),
                                         chain_step(100000),
                                         chain_detail_step(1000),
                                         crane_step(0),
                                         crane_step(3),
                                         crane_step(20),
                                         cables_step(0),
                                         cables_step(3),
                                         cables_step(20),
                                         channel_published(101),
                                         channel_sections(101),
                                         channel_exact(101),
                                         channel_coarse_to_fine(),
                                         channel_published(301),
                                         channel_sections(301),
                                         channel_exact(301)};
    for (const char* formulation : {"kirchhoff", "cosserat", "chain", "spline"})
      for (const Yields yields : {Yields::Never, Yields::Most}) listed.push_back(yielding_step(formulation, yields));
    for (Bench& each : mesh_tubes()) listed.push_back(std::move(each));
    return listed;
  }();
  return all;
}

}  // namespace filum::bench
