// Bundles of wires: packing, mass, and the bounds of their stiffness.
#include <filum/section.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace filum::test_bundle {

namespace {

constexpr double kPi = std::numbers::pi;

BundleWire wires(double diameter, int count, double conductor) {
  BundleWire wire;
  wire.count = count;
  wire.diameter = diameter;
  wire.conductor = conductor;
  return wire;
}

Section bundle(std::vector<BundleWire> of, double tape = 0, double bond = 0) {
  Section section;
  section.shape = SectionShape::Bundle;
  section.bundle = std::move(of);
  section.tape = tape;
  section.bond = bond;
  return section;
}

}  // namespace

TEST_CASE("a wire alone is as thick as itself, two as both, more as the stated packing") {
  CHECK(bundle_diameter({wires(3e-3, 1, 2.5e-6)}) == 3e-3);
  CHECK(bundle_diameter({wires(3e-3, 2, 2.5e-6)}) == 6e-3);
  CHECK(bundle_diameter({wires(3e-3, 1, 2.5e-6), wires(1e-3, 1, 0.3e-6)}) == doctest::Approx(4e-3));
  // seven in a hexagon are 3 d thick, nineteen 4.86 d: bound by hand they are looser, by less than a tenth
  CHECK(bundle_diameter({wires(1, 7, 0.1)}) == doctest::Approx(1.2 * std::sqrt(7)));
  CHECK(bundle_diameter({wires(1, 19, 0.1)}) / 4.863 < 1.1);
  // a thick one among thin ones cannot be thinner than it and its neighbour
  CHECK(bundle_diameter({wires(10, 1, 1), wires(1, 2, 0.1)}) >= 11);
}

TEST_CASE("the bounds of a bundle: slipping wires add up, bonded ones obey the parallel axis theorem") {
  const BundleFacts one = bundle_facts(bundle({wires(3e-3, 1, 2.5e-6)}));
  CHECK(one.slipping.EI == doctest::Approx(one.bonded.EI).epsilon(1e-12));
  const BundleFacts seven = bundle_facts(bundle({wires(3e-3, 7, 2.5e-6)}));
  CHECK(seven.slipping.EI == doctest::Approx(7 * one.slipping.EI).epsilon(1e-12));
  CHECK(seven.EA == doctest::Approx(7 * one.EA).epsilon(1e-12));
  // six centres at a distance d from the middle one: sum of y² is 3 d²; the stated packing is looser by 6 % in d
  const double exact = 7 * one.slipping.EI + one.EA * 3 * 9e-6;
  CHECK(seven.bonded.EI > exact);
  CHECK(seven.bonded.EI < 1.35 * exact);
}

TEST_CASE("the share of bonding goes from one bound to the other") {
  const auto at = [](double bond) { return bundle_facts(bundle({wires(2e-3, 30, 1e-6)}, 0.3e-3, bond)); };
  CHECK(at(0).chosen.EI == doctest::Approx(at(0).slipping.EI).epsilon(1e-12));
  CHECK(at(1).chosen.EI == doctest::Approx(at(0).bonded.EI).epsilon(1e-12));
  CHECK(at(0.5).chosen.EI == doctest::Approx(std::sqrt(at(0).slipping.EI * at(0).bonded.EI)).epsilon(1e-12));
  CHECK(at(0.5).chosen.GJ < at(0.5).chosen.EI);
}

TEST_CASE("mass and copper of a wire follow from each other, tape adds its own") {
  const BundleFacts copper = bundle_facts(bundle({wires(3e-3, 12, 2.5e-6)}));
  BundleWire weighed;
  weighed.diameter = 3e-3;
  weighed.count = 12;
  weighed.mass = copper.mass_per_length / 12;
  const BundleFacts again = bundle_facts(bundle({weighed}));
  CHECK(again.EA == doctest::Approx(copper.EA).epsilon(1e-12));
  CHECK(again.slipping.EI == doctest::Approx(copper.slipping.EI).epsilon(1e-12));
  const BundleFacts taped = bundle_facts(bundle({wires(3e-3, 12, 2.5e-6)}, 0.5e-3));
  CHECK(taped.diameter == doctest::Approx(copper.diameter + 1e-3));
  const double ring = kPi / 4 * (taped.diameter * taped.diameter - copper.diameter * copper.diameter);
  CHECK(taped.mass_per_length - copper.mass_per_length == doctest::Approx(1350 * ring));
}

TEST_CASE("a common wire has its catalogue's figures, and a bundle of it a section") {
  REQUIRE(find_wire("FLRY-B 2.5"));
  CHECK(find_wire("FLRY-B 2.5")->conductor == doctest::Approx(2.65e-6).epsilon(0.01));
  CHECK_FALSE(find_wire("FLRY-B 3"));
  for (const std::string& name : common_wire_names()) {
    BundleWire wire;
    wire.wire = name;
    const BundleFacts facts = bundle_facts(bundle({wire}));
    CHECK(facts.diameter == find_wire(name)->diameter);
    CHECK(facts.mass_per_length == find_wire(name)->mass);
    // copper and PVC of these sizes weigh what the catalogue says, to a quarter
    wire.conductor = find_wire(name)->conductor;
    CHECK(bundle_facts(bundle({wire})).mass_per_length == doctest::Approx(facts.mass_per_length).epsilon(0.25));
    const Stiffness stiff = stiffness(bundle({wire}, 0.2e-3, 0.1), {});
    CHECK(stiff.outline[0] == doctest::Approx(facts.diameter / 2 + 0.2e-3));
    CHECK(stiff.EI[0] > 0);
  }
}

}  // namespace filum::test_bundle
