// A proposed cable between two connectors: its way found clear of parts, then brought to a real equilibrium of a real length.
//
// The rod is held at both ends, and nowhere between. Its way is sought (route_search.hpp) with the clearance that is asked
// for; it then gets that shape and its length, and an equilibrium is found, with contact as the scene has it. Where weight or
// stiffness bring it nearer to a part than asked, a clip is put on the way that was found, and the equilibrium is found again;
// where it is bent more than its limit allows, it gets longer. All that is measured is of the last equilibrium.
#pragma once

#include <filum/outcome.hpp>
#include <filum/progress.hpp>
#include <filum/reference.hpp>
#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <optional>
#include <string>

namespace filum::sim {

struct RouteRequest {
  std::string rod;              // empty: the only one
  double clearance = 0;         // to keep from parts, m
  std::optional<double> extra;  // of the length of the way, added to it; default: as much as the bend radius asks for
  double room = 0.25;           // of the size of all that there is, about it: where ways are looked for
  Progress progress;
};

struct ProposedRoute {
  Scene scene;      // with the rod's shape, its length, and clips
  Outcome outcome;  // its equilibrium
  double length = 0;
  double bend_radius = 0;  // smallest, m
  double clearance = 0;    // smallest, m; infinite: nothing is near
  ObjectRef nearest;
  int clips = 0;
  double grid = 0;     // on which the way was found, m
  double allowed = 0;  // bend radius, m

  // The clearance that was asked for, but for a fiftieth and for what contact explains.
  [[nodiscard]] bool keeps_clear(const RouteRequest& request) const {
    return clearance >= 0.98 * request.clearance - 1e-6;
  }
  // And the limit of the bend radius.
  [[nodiscard]] bool is_kept(const RouteRequest& request) const {
    return keeps_clear(request) && bend_radius >= allowed;
  }
};

// The error says why there is none: what is missing, what an end lies in, that there is no way.
[[nodiscard]] Result<ProposedRoute> propose_route(const Scene& scene, const RouteRequest& request);

}  // namespace filum::sim
