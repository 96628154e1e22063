// The table of common materials: typical figures at room temperature and small strain, good for a first answer.
//
// Metals are known to a few per cent. Polymers and rubbers vary by a factor of two and more with grade, hardness,
// temperature and rate; whoever has a data sheet should write the material into the scene.
#include <filum/section.hpp>

#include <array>

namespace filum {
namespace {

constexpr double kGPa = 1e9;
constexpr double kMPa = 1e6;

constexpr std::array kTable{
    NamedMaterial{"steel", {210 * kGPa, 0.30, 7850}, "structural steel, EN 1993-1-1"},
    NamedMaterial{"stainless-steel", {200 * kGPa, 0.30, 7900}, "austenitic, EN 1993-1-4, EN 10088-1 (1.4301)"},
    NamedMaterial{"spring-steel", {206 * kGPa, 0.264, 7850}, "patented drawn wire, EN 10270-1: G = 81.5 GPa"},
    NamedMaterial{"copper", {120 * kGPa, 0.34, 8930}, "Cu-ETP conductor; E 110 to 130 GPa with temper"},
    NamedMaterial{"brass", {105 * kGPa, 0.34, 8450}, "CuZn37; E 100 to 110 GPa"},
    NamedMaterial{"aluminium", {70 * kGPa, 0.33, 2700}, "EN 1999-1-1, also for conductor grades"},
    NamedMaterial{"titanium", {114 * kGPa, 0.34, 4430}, "Ti-6Al-4V, annealed"},
    NamedMaterial{
        "nitinol", {70 * kGPa, 0.33, 6450}, "austenite, below about 1 % strain; not the superelastic plateau"},
    NamedMaterial{"silica-fibre", {72 * kGPa, 0.17, 2200}, "fused silica, optical fibre without coating"},
    NamedMaterial{"epdm", {7 * kMPa, 0.49, 1150}, "filled hose compound, about 70 Shore A, small strain"},
    NamedMaterial{"nbr", {6 * kMPa, 0.49, 1200}, "filled nitrile rubber, about 65 to 70 Shore A, small strain"},
    NamedMaterial{"natural-rubber", {2 * kMPa, 0.49, 950}, "lightly filled, about 45 Shore A, small strain"},
    NamedMaterial{"silicone", {3 * kMPa, 0.49, 1150}, "about 55 to 60 Shore A, small strain"},
    NamedMaterial{"tpu", {30 * kMPa, 0.48, 1200}, "thermoplastic polyurethane, about 85 Shore A"},
    NamedMaterial{"pvc", {25 * kMPa, 0.45, 1350}, "plasticised, cable insulation, about 85 Shore A"},
    NamedMaterial{"pvc-rigid", {3.0 * kGPa, 0.38, 1400}, "unplasticised, pipes"},
    NamedMaterial{"pe", {0.25 * kGPa, 0.45, 920}, "low density; E 0.2 to 0.3 GPa"},
    NamedMaterial{"pe-hd", {1.0 * kGPa, 0.42, 950}, "high density; E 0.8 to 1.2 GPa"},
    NamedMaterial{"pp", {1.5 * kGPa, 0.42, 905}, "moulded homopolymer"},
    NamedMaterial{"pp-suture", {3.0 * kGPa, 0.42, 910}, "drawn monofilament; E 2 to 5 GPa with draw ratio"},
    NamedMaterial{"pa66", {1.7 * kGPa, 0.40, 1140}, "conditioned at 50 % humidity; about 3.0 GPa when dry"},
    NamedMaterial{"pa12", {0.45 * kGPa, 0.42, 1020}, "plasticised tubing grade; E 0.3 to 0.5 GPa"},
    NamedMaterial{"ptfe", {0.5 * kGPa, 0.46, 2170}, "unfilled; E 0.4 to 0.75 GPa"},
};

}  // namespace

MaterialTable common_materials() {
  return {kTable.data(), kTable.data() + kTable.size()};
}

}  // namespace filum
