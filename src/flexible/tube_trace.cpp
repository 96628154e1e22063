#include "flexible/tube_trace.hpp"

#include "base/index.hpp"
#include "flexible/around_seed.hpp"
#include "flexible/beside_tube.hpp"
#include "flexible/corrugated.hpp"
#include "flexible/shells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <utility>

namespace filum::flexible {
namespace {

constexpr double kStep = 0.25;  // of the radius
constexpr double kShortestStep = 0.03;
constexpr double kAcross = 1e-5;       // rad: a plane that leans by less lies across
constexpr double kSlope = 0.35;        // of the radius along the tube
constexpr double kShortestTube = 1.5;  // radii
constexpr double kShortestFlat = 10;   // of half its width
constexpr double kShortestBar = 20;    // likewise, of one hardly wider than high: boxes are shorter
constexpr double kWidest = 4;          // quotient of the radii of a pipe's walls, at most
constexpr int kFewestPoints = 10;      // of a round tube: two pentagons

class Tracer {
 public:
  explicit Tracer(const Surface& surface)
      : surface_(surface),
        owner_(surface.triangle.size(), -1),
        shells_(find_shells(surface)),
        tried_(surface.triangle.size(), false),
        not_round_(surface.triangle.size(), false),
        sheet_(surface.triangle.size(), false),
        round_of_(surface.triangle.size(), 0),
        around_(surface),
        seen_(surface.triangle.size(), 0),
        corrugated_(surface) {}

  Trace run() {
    // shell by shell, since nothing that is done here leaves one and thousands of small ones then stay in the cache;
    // the tubes are listed as if all shells were searched together
    for (const std::vector<Seed>& seeds : seeds_by_shell()) search_shell(seeds);
    return listed();
  }

 private:
  // What is looked for, in this order: most tubes are smooth and quickly found. A round one that is not smooth waits until
  // it is clear that it is not corrugated, of which it would be a part.
  enum class Search { Smooth, Corrugated, Round, Flat };

  // ---- seeds

  struct Seed {
    int triangle;
    int rank;  // in the order of all
  };

  // Triangles in a shuffled order, those of a shell together.
  [[nodiscard]] std::vector<std::vector<Seed>> seeds_by_shell() const {
    std::vector<int> order(surface_.triangle.size());
    std::iota(order.begin(), order.end(), 0);
    // the same order everywhere: no distribution of the standard library is
    std::mt19937 random(12345);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    std::vector<std::vector<Seed>> seeds(shells_.shell.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      seeds[at(shells_.of[at(order[i])])].push_back({order[i], static_cast<int>(i)});
    return seeds;
  }

  void search_shell(const std::vector<Seed>& seeds) {
    shell_ = seeds;
    around_.forget_length();
    for (const Search search : {Search::Smooth, Search::Corrugated, Search::Round, Search::Flat}) {
      search_ = search;
      const std::size_t before = tubes_.size();
      alone_ = kAlone;
      for (const auto& [seed, rank] : seeds) tried_[at(seed)] = search == Search::Round && not_round_[at(seed)];
      for (const auto& [seed, rank] : seeds) {
        if (owner_[at(seed)] >= 0 || tried_[at(seed)] || sheet_[at(seed)] || !has_points(seed)) continue;
        if (is_too_thick(seed)) continue;
        rank_ = rank;
        try_seed(seed);
      }
      const bool round = search == Search::Smooth || search == Search::Round;
      if (round && shells_.with(seeds.front().triangle).has_hole()) find_walls(before);
    }
  }

  // Of the tubes from this one on: the other walls of pipes, which seeds may miss. Planes across the faces at a pipe's ends
  // cut its walls lengthwise, and of a coarse one every triangle then counts as tried.
  void find_walls(std::size_t first) {
    const std::size_t count = tubes_.size();
    if (first == count) return;
    std::vector<Seed> left;
    for (const Seed& seed : shell_)
      if (owner_[at(seed.triangle)] < 0) left.push_back(seed);
    for (std::size_t k = first; k < count; ++k) {
      const Station middle = tubes_[k].stations[tubes_[k].stations.size() / 2];
      for (const auto& [seed, rank] : left) {
        if (owner_[at(seed)] >= 0) continue;
        const Plane across{middle.centre, middle.tangent};
        if (!crosses(surface_, across, seed)) continue;
        const std::optional<Station> wall =
            section_of(cut(surface_, across, seed, kWidest * longest_round(middle)), middle.tangent);
        if (!wall || !is_coaxial(*wall, middle)) continue;
        rank_ = rank;
        TracedTube tube = march_both_ways(*wall);
        if (!long_enough(tube)) continue;
        claim(tube, gather(tube));
        break;
      }
    }
  }

  static bool is_coaxial(const Station& a, const Station& b) {
    constexpr double kAside = 0.1;  // radii
    return (a.centre - b.centre).norm() < kAside * std::min(a.radius, b.radius);
  }

  // Ordered by what was looked for and by their seeds.
  Trace listed() {
    std::vector<std::size_t> order(tubes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return found_by_[a] < found_by_[b]; });
    Trace trace;
    std::vector<int> number(tubes_.size());
    for (const std::size_t k : order) {
      number[k] = static_cast<int>(trace.tubes.size());
      trace.tubes.push_back(std::move(tubes_[k]));
    }
    for (int& owner : owner_)
      if (owner >= 0) owner = number[at(owner)];
    trace.owner = std::move(owner_);
    return trace;
  }

  void try_seed(int seed) {
    tried_[at(seed)] = true;
    AroundSeed::Lengths open{};
    const Cut shortest = around_.shortest(seed, open);
    if (shortest.corner.empty()) return mark_sheet(seed, open);
    if (!has_area(seed, shortest.length)) return give_up(seed, shortest);
    if (search_ == Search::Corrugated) return try_corrugated(shortest);
    std::optional<Station> station = settle(shortest);
    if (!station && search_ == Search::Smooth && shells_.with(seed).has_hole())
      station = settle(around_.shortest_across(seed, shortest.length));
    if (!station) return give_up(seed, shortest);
    TracedTube tube = has_sides(seed, *station) && has_length(*station) && goes_on(*station)
                          ? march_both_ways(*station)
                          : TracedTube{.stations = {*station}};
    if (search_ == Search::Flat ? tube.ring || !long_enough(tube) : !tube.ring && !long_enough(tube)) {
      mark_tried(shortest);
      // from any place along it the same would be found
      for (const Beside& each : gather(tube)) set_tried(each.triangle, true, shortest.length);
      return;
    }
    const std::vector<Beside> own = gather(tube);
    if (search_ == Search::Smooth && !is_smooth(tube, own)) {
      for (const Beside& each : own) tried_[at(each.triangle)] = true;
      return;
    }
    claim(std::move(tube), own);
  }

  // Planes across the faces at a coarse pipe's ends cut all of its long triangles: a few seeds speak for themselves alone.
  void give_up(int seed, const Cut& polygon) {
    if (!shells_.with(seed).has_hole() || alone_-- <= 0) mark_tried(polygon);
  }

  // Has its shell points enough for a tube of the kind that is looked for?
  [[nodiscard]] bool has_points(int seed) const {
    const int points = shells_.with(seed).points;
    if (search_ == Search::Flat) return true;
    return points >= (search_ == Search::Corrugated ? kFewestCorrugatedPoints : kFewestPoints);
  }

  // Has its shell the area that a tube has which is as thick and long enough? Where a plane that leans by up to a 16th of a
  // turn cuts an oval out that is hardly wider than high, half its width is an eighth of the polygon.
  [[nodiscard]] bool has_area(int seed, double round) const {
    constexpr double kLeast = 0.8;  // of it: what is beside the way of the centres on the inside of a bend
    const double length = search_ == Search::Flat         ? kShortestFlat / 8
                          : search_ == Search::Corrugated ? kShortestCorrugated / (2 * std::numbers::pi)
                                                          : kShortestTube / (2 * std::numbers::pi);
    return shells_.with(seed).area > kLeast * length * round * round;
  }

  // Does a polygon near it, of the first search, say the same? Then none need be cut out. A few seeds of a tube that lie
  // near something thicker are passed over by this; it has others.
  [[nodiscard]] bool is_too_thick(int seed) const {
    constexpr double kSurely = 0.75;  // of that polygon's length
    if (search_ != Search::Corrugated && search_ != Search::Flat) return false;
    return round_of_[at(seed)] > 0 && !has_area(seed, kSurely * round_of_[at(seed)]);
  }

  // Does its shell reach as far along as a round tube must that is long enough? A bent one reaches farther by its outside
  // than its centre line is long. Of washers, discs and nuts this spares the march.
  [[nodiscard]] bool has_length(const Station& station) const {
    constexpr double kLeast = 0.75;      // of it: one that tapers may be measured where it is thick
    constexpr std::size_t kMost = 4096;  // triangles looked at; in a shuffled order few will do
    if (search_ == Search::Flat) return true;
    double low = 0;
    double high = 0;
    for (const Seed& seed : shell_.first(std::min(kMost, shell_.size()))) {
      const auto [least, most] = extent(seed.triangle, station);
      low = std::min(low, least);
      high = std::max(high, most);
      if (high - low > kLeast * kShortestTube * station.radius) return true;
    }
    return shell_.size() > kMost;
  }

  // Is it nearly as thick half of the shortest length on, one way or the other? One that tapers grows one way. What bulges,
  // a ball or a cushion, shrinks both ways, and need not be marched over.
  [[nodiscard]] bool goes_on(const Station& station) {
    constexpr double kHalf = 0.98 * kShortestTube / 2;  // radii
    constexpr double kLeast = 0.8;                      // of its circle; a hexagon has 0.955 of it, a ball there 0.68
    if (search_ == Search::Flat) return true;
    const double round = 2 * std::numbers::pi * station.radius;
    for (const double sign : {1.0, -1.0}) {
      Station from = station;
      from.tangent *= sign;
      const Plane there{from.centre + kHalf * from.radius * from.tangent, from.tangent};
      const std::optional<int> start = search(from, there);
      if (!start) continue;
      const Cut polygon = cut(surface_, there, *start, 4 * round);
      if (!polygon.closed || polygon.length > kLeast * round) return true;
    }
    return false;
  }

  void try_corrugated(const Cut& across) {
    std::optional<TracedTube> tube = trace_corrugated(surface_, owner_, across, corrugated_);
    if (!tube) {
      for (const int t : corrugated_.in_vain) tried_[at(t)] = true;
      return;
    }
    const std::vector<Beside> own = gather(*tube);
    claim(std::move(*tube), own);
  }

  [[nodiscard]] bool long_enough(const TracedTube& tube) const {
    const double length = tube.length();
    if (search_ != Search::Flat) return length >= kShortestTube * tube.radius();
    const Station& middle = tube.stations[tube.stations.size() / 2];
    return length >= (is_bar(middle.half, middle.fill) ? kShortestBar : kShortestFlat) * middle.half.x();
  }

  // Has its shell the area of a bar that is long enough? Most boxes have not, and need not be marched along.
  [[nodiscard]] bool has_sides(int seed, const Station& station) const {
    constexpr double kLeast = 0.8;  // of it
    if (search_ != Search::Flat || !is_bar(station.half, station.fill)) return true;
    return shells_.with(seed).area > kLeast * kShortestBar * station.half.x() * 4 * station.half.sum();
  }

  // The section as that of a tube of the kind that is looked for.
  // A flat one is wide in nearly the way that is given, if any.
  [[nodiscard]] std::optional<Station> section_of(const Cut& polygon, const Vec3& normal,
                                                  const Vec3& wide = Vec3::Zero()) const {
    if (search_ == Search::Flat) {
      Profile profile = fit_profile(polygon, normal);
      if (!is_flat(profile, polygon, normal)) return std::nullopt;
      align(profile, wide, normal);
      return Station{profile.centre,
                     normal,
                     std::sqrt(profile.half.x() * profile.half.y()),
                     0,
                     profile.half,
                     profile.wide,
                     profile.fill,
                     polygon.triangle};
    }
    if (!is_compact(polygon)) return std::nullopt;
    const Circle circle = fit_circle(polygon, normal);
    if (!is_round(polygon, circle)) return std::nullopt;
    return Station{circle.centre, normal, circle.radius, circle.rms, Vec2::Zero(), Vec3::Zero(), 0, polygon.triangle};
  }

  // Turns the plane until it lies across.
  [[nodiscard]] std::optional<Station> settle(const Cut& first) {
    if (first.corner.empty()) return std::nullopt;
    Cut polygon = first;
    Vec3 normal = Vec3::Zero();
    std::optional<Station> found;
    for (int round = 0; round < 6; ++round) {
      const Vec3 axis = way_along(polygon);
      if (axis.isZero()) break;
      Vec3 mean = Vec3::Zero();
      for (const Vec3& corner : polygon.corner) mean += corner / static_cast<double>(polygon.corner.size());
      const Vec3 origin = found ? found->centre : mean;
      const auto start = crossing_of(polygon.triangle, {origin, axis});
      if (!start) break;
      Cut next = cut(surface_, {origin, axis}, *start, 4 * first.length);
      if (!next.closed) break;
      const bool still = normal.cross(axis).norm() < 1e-3 && !normal.isZero();
      normal = axis;
      polygon = std::move(next);
      found = section_of(polygon, axis);
      if (still) break;
    }
    if (found)
      for (const int t : found->triangles)
        if (owner_[at(t)] >= 0) return std::nullopt;
    return found;
  }

  // The direction of a tube at a section. Of flat ones, whose normals lean if twisted, between the centres of two beside it.
  [[nodiscard]] Vec3 way_along(const Cut& polygon) {
    if (search_ != Search::Flat) return axis_of(surface_, polygon);
    constexpr double kBeside = 0.2;  // radii
    const Vec3& first = polygon.corner.front();
    Vec3 area = Vec3::Zero();
    for (std::size_t i = 1; i < polygon.corner.size(); ++i)
      area += (polygon.corner[i - 1] - first).cross(polygon.corner[i] - first);
    if (!(area.norm() > 0)) return Vec3::Zero();
    const Vec3 normal = area.normalized();
    const Profile here = fit_profile(polygon, normal);
    if (!is_nearly_flat(here)) return Vec3::Zero();
    const double radius = std::sqrt(here.half.x() * here.half.y());
    std::array<Vec3, 2> centre{here.centre, here.centre};
    for (const int side : {0, 1}) {
      const Vec3 on = side == 0 ? Vec3(-normal) : normal;
      // far enough for its folds not to count; near the end nearer
      for (const double reach : {kBeside * here.half.x(), kBeside * radius}) {
        const Plane beside{here.centre + reach * on, on};
        const auto start =
            search({here.centre, on, radius, 0, here.half, here.wide, here.fill, polygon.triangle}, beside);
        if (!start) continue;
        const Profile next = fit_profile(cut(surface_, beside, *start, 2 * polygon.length), on);
        if (!(next.half.y() > 0)) continue;
        centre[at(side)] = next.centre;
        break;
      }
    }
    const Vec3 way = centre[1] - centre[0];
    return way.norm() > 0.5 * kBeside * radius ? Vec3(way.normalized()) : Vec3(Vec3::Zero());
  }

  // One of these triangles, or of their neighbours, that the plane crosses.
  [[nodiscard]] std::optional<int> crossing_of(const std::vector<int>& triangles, const Plane& plane) const {
    for (const int t : triangles)
      if (crosses(surface_, plane, t)) return t;
    for (const int t : triangles)
      for (const int n : surface_.neighbour[at(t)])
        if (n >= 0 && crosses(surface_, plane, n)) return n;
    return std::nullopt;
  }

  // `near` a polygon that is so long round: the next search for round tubes need not try it either.
  void set_tried(int triangle, bool near, double round) {
    tried_[at(triangle)] = true;
    if (search_ != Search::Smooth) return;
    if (near) not_round_[at(triangle)] = true;
    round_of_[at(triangle)] = static_cast<float>(round);
  }

  // A failed seed: its polygon and what lies near it need not be tried again, which keeps blocks linear. What turns away
  // from it is another face: a stub on a panel.
  void mark_tried(const Cut& polygon) {
    constexpr double kTurned = 0.5;  // cosine
    // radii; wider in the first search, since what it passes over is looked at again
    constexpr double kNear = 0.2;
    const double radius = polygon.length / (2 * std::numbers::pi);
    const double reach = (search_ == Search::Smooth ? 0.5 : kNear) * radius;
    struct Marked {
      int triangle;
      std::size_t corner;  // of the polygon, the nearest
    };
    std::vector<Marked> open;
    for (std::size_t i = 0; i < polygon.triangle.size(); ++i) {
      set_tried(polygon.triangle[i], true, polygon.length);
      open.push_back({polygon.triangle[i], std::min(i, polygon.corner.size() - 1)});
    }
    for (std::size_t i = 0; i < open.size(); ++i)
      for (const int n : surface_.neighbour[at(open[i].triangle)]) {
        if (n < 0 || tried_[at(n)]) continue;
        const Vec3 here = surface_.centroid(n);
        const std::size_t corner = nearest_corner(polygon, here, open[i].corner);
        const double off = (polygon.corner[corner] - here).norm();
        if (off > reach) continue;
        const Vec3& beside = surface_.normal[at(polygon.triangle[std::min(corner, polygon.triangle.size() - 1)])];
        if (std::abs(surface_.normal[at(n)].dot(beside)) < kTurned) continue;
        set_tried(n, off < kNear * radius, polygon.length);
        open.push_back({n, corner});
      }
  }

  // Of a polygon, downhill from a guess.
  static std::size_t nearest_corner(const Cut& polygon, const Vec3& p, std::size_t guess) {
    const std::size_t count = polygon.corner.size();
    double least = (polygon.corner[guess] - p).squaredNorm();
    for (const std::size_t way : {std::size_t{1}, count - 1}) {
      while (true) {
        const std::size_t next = (guess + way) % count;
        const double off = (polygon.corner[next] - p).squaredNorm();
        if (off >= least) break;
        least = off;
        guess = next;
      }
    }
    return guess;
  }

  // Where no plane cuts out a closed polygon, on sheets and panels, none will nearby as long as the surface does not turn
  // away: of a tube with holes this is a small part of its round.
  void mark_sheet(int seed, AroundSeed::Lengths open) {
    constexpr double kTurned = 0.87;  // cosine
    std::sort(open.begin(), open.end());
    const double reach = 0.5 * open[open.size() / 2] / (2 * std::numbers::pi);
    const Vec3 middle = surface_.centroid(seed);
    std::vector<int> patch{seed};
    sheet_[at(seed)] = true;
    for (std::size_t i = 0; i < patch.size(); ++i)
      for (const int n : surface_.neighbour[at(patch[i])]) {
        if (n < 0 || sheet_[at(n)] || (surface_.centroid(n) - middle).squaredNorm() > reach * reach) continue;
        if (std::abs(surface_.normal[at(n)].dot(surface_.normal[at(seed)])) < kTurned) continue;
        sheet_[at(n)] = true;
        patch.push_back(n);
      }
  }

  // ---- marching

  TracedTube march_both_ways(const Station& seed) {
    TracedTube tube;
    tube.kind = search_ == Search::Flat ? TubeKind::Flat : TubeKind::Round;
    std::vector<Station> ahead = march(seed, 1, tube.ring);
    std::vector<Station> behind;
    if (!tube.ring) behind = march(seed, -1, tube.ring);
    std::reverse(behind.begin(), behind.end());
    for (Station& station : behind) {
      station.tangent = -station.tangent;
      tube.stations.push_back(std::move(station));
    }
    tube.stations.push_back(seed);
    for (Station& station : ahead) tube.stations.push_back(std::move(station));
    trim(tube);
    return tube;
  }

  std::vector<Station> march(const Station& seed, double sign, bool& ring) {
    std::vector<Station> way;
    Station last = seed;
    last.tangent *= sign;
    double h = kStep * last.radius;
    double gone = 0;
    while (gone <= 1e5 * seed.radius) {
      std::vector<Station> next = glide(last);
      if (next.empty()) {
        std::optional<Station> one = step(last, h);
        if (!one) {
          h /= 2;
          if (h < kShortestStep * last.radius) return way;
          continue;
        }
        next.push_back(std::move(*one));
      }
      for (Station& station : next) {
        const double gap = (station.centre - last.centre).norm();
        gone += gap;
        if (gone > kShortestRing * seed.radius && comes_back(seed, sign * seed.tangent, last.centre, station)) {
          ring = true;
          return way;
        }
        last = station;
        way.push_back(std::move(station));
      }
      h = std::min(2 * h, kStep * last.radius);
    }
    return way;
  }

  // Over a piece without a vertex, from ring to ring of a sweep: corners go straight there, and with them the circle. So one
  // section at its end will do, and the others lie between. Empty: there is no such piece ahead.
  [[nodiscard]] std::vector<Station> glide(const Station& from) const {
    std::vector<Station> way;
    double ahead = std::numeric_limits<double>::max();
    for (const int t : from.triangles)
      for (const int corner : surface_.triangle[at(t)]) {
        const double along = (surface_.point[at(corner)] - from.centre).dot(from.tangent);
        if (along > 0) ahead = std::min(ahead, along);
      }
    const double h = (1 - 1e-6) * ahead;
    const int pieces = static_cast<int>(std::ceil(std::min(h / (kStep * from.radius), 1e6)));
    if (pieces < 3) return way;
    const Plane plane{from.centre + h * from.tangent, from.tangent};
    const Cut polygon = cut(surface_, plane, from.triangles.front(), longest_round(from));
    const std::optional<Station> last = accepted(from, polygon, plane.normal, h);
    if (!last || last->triangles.size() != from.triangles.size()) return way;
    for (int k = 1; k <= pieces; ++k) {
      const double t = static_cast<double>(k) / pieces;
      way.push_back(*last);
      way.back().centre = from.centre + t * (last->centre - from.centre);
      way.back().radius = from.radius + t * (last->radius - from.radius);
      way.back().half = from.half + t * (last->half - from.half);
      if (search_ == Search::Flat) way.back().wide = (from.wide + t * (last->wide - from.wide)).normalized();
    }
    return way;
  }

  // Twice as long as a circle about it: a polygon that is longer goes astray.
  static double longest_round(const Station& from) {
    return 4 * std::numbers::pi * std::max(from.radius, from.half.x());
  }

  [[nodiscard]] std::optional<Station> step(const Station& from, double h) {
    const Plane ahead{from.centre + h * from.tangent, from.tangent};
    const auto start = search(from, ahead);
    if (!start) return std::nullopt;
    const double longest = longest_round(from);
    const Cut polygon = cut(surface_, ahead, *start, longest);
    std::optional<Station> next = accepted(from, polygon, ahead.normal, h);
    if (!next) return next;
    // once more across the direction that its own triangles tell
    Vec3 axis = way_along(polygon);
    if (axis.isZero()) return next;
    if (axis.dot(from.tangent) < 0) axis = -axis;
    if (axis.dot(from.tangent) < 0.8) return next;
    if (axis.cross(from.tangent).squaredNorm() < kAcross * kAcross) return next;  // it was across
    const Plane across{next->centre, axis};
    if (const auto again = crossing_of(polygon.triangle, across)) {
      const Cut better = cut(surface_, across, *again, longest);
      if (auto station = accepted(from, better, axis, h)) return station;
    }
    return next;
  }

  // A triangle that the plane ahead crosses, over the surface from those cut last; on from the one that is nearest to it.
  [[nodiscard]] std::optional<int> search(const Station& from, const Plane& ahead) {
    ++round_;
    const double reach = (ahead.origin - from.centre).norm();
    open_.clear();
    const auto farther = [](const Ahead& a, const Ahead& b) { return a.most < b.most; };
    for (const int t : from.triangles) {
      seen_[at(t)] = round_;
      open_.push_back({extent(t, from).second, t});
    }
    std::make_heap(open_.begin(), open_.end(), farther);
    for (int looked = 0; !open_.empty() && looked < 200'000; ++looked) {
      std::pop_heap(open_.begin(), open_.end(), farther);
      const int here = open_.back().triangle;
      open_.pop_back();
      if (crosses(surface_, ahead, here) && near(here, ahead.origin, std::max(from.radius, from.half.x()))) return here;
      for (const int n : surface_.neighbour[at(here)]) {
        if (n < 0 || seen_[at(n)] == round_) continue;
        seen_[at(n)] = round_;
        // not behind the old section, not far beyond the new one
        const auto [least, most] = extent(n, from);
        if (most < -1e-9 * from.radius || least > reach) continue;
        open_.push_back({most, n});
        std::push_heap(open_.begin(), open_.end(), farther);
      }
    }
    return std::nullopt;
  }

  // From where to where a triangle reaches along a station's tangent.
  [[nodiscard]] std::pair<double, double> extent(int triangle, const Station& from) const {
    const auto along = [&](int k) {
      return (surface_.point[at(surface_.triangle[at(triangle)][at(k)])] - from.centre).dot(from.tangent);
    };
    return std::minmax({along(0), along(1), along(2)});
  }

  // Does the part of the triangle in the plane come near the place that is expected?
  [[nodiscard]] bool near(int triangle, const Vec3& origin, double radius) const {
    const auto& corners = surface_.triangle[at(triangle)];
    Vec3 low = surface_.point[at(corners[0])];
    Vec3 high = low;
    for (const int corner : corners) {
      low = low.cwiseMin(surface_.point[at(corner)]);
      high = high.cwiseMax(surface_.point[at(corner)]);
    }
    return (origin - origin.cwiseMax(low).cwiseMin(high)).norm() < 2 * radius;
  }

  [[nodiscard]] std::optional<Station> accepted(const Station& from, const Cut& polygon, const Vec3& normal,
                                                double h) const {
    if (polygon.corner.empty()) return std::nullopt;
    std::optional<Station> next = section_of(polygon, normal, from.wide);
    if (!next && search_ != Search::Flat && !polygon.closed) {
      // a hole leaves the section open: a good part of a good circle will do
      const Circle part = fit_circle(polygon, normal);
      if (part.found && part.rms < 0.024 && part.gap < 2.6)
        next = Station{part.centre, normal, part.radius, part.rms, Vec2::Zero(), Vec3::Zero(), 0, polygon.triangle};
    }
    if (!next) return std::nullopt;
    if (std::abs(next->radius - from.radius) > kSlope * h + 0.01 * from.radius) return std::nullopt;
    if (search_ == Search::Flat && (next->half - from.half).cwiseAbs().maxCoeff() > kSlope * h + 0.02 * from.half.y())
      return std::nullopt;
    const Vec3 jump = next->centre - from.centre;
    const double along = jump.dot(from.tangent);
    const double aside = (jump - along * from.tangent).norm();
    if (jump.norm() < 0.3 * h || jump.norm() > 2.5 * h || along <= 0) return std::nullopt;
    if (aside > kSlope * h + 0.03 * from.radius) return std::nullopt;
    for (const int t : polygon.triangle)
      if (owner_[at(t)] >= 0) return std::nullopt;
    return next;
  }

  // Ends that are less round than the rest belong to what the tube runs into.
  static void trim(TracedTube& tube) {
    if (tube.ring || tube.stations.size() < 3 || tube.kind != TubeKind::Round) return;
    std::vector<double> all;
    for (const Station& station : tube.stations) all.push_back(station.rms);
    std::nth_element(all.begin(), all.begin() + static_cast<long>(all.size() / 2), all.end());
    const double allowed = std::max(0.006, 2 * all[all.size() / 2]);
    while (tube.stations.size() > 2 && tube.stations.back().rms > allowed) tube.stations.pop_back();
    while (tube.stations.size() > 2 && tube.stations.front().rms > allowed) tube.stations.erase(tube.stations.begin());
  }

  // ---- claiming

  struct Beside {
    int triangle;
    std::size_t station;  // the nearest
  };

  // From the triangles cut on to all that lie along the tube, between its end planes, and have no owner.
  std::vector<Beside> gather(const TracedTube& tube) {
    ++round_;
    std::vector<Beside> own;
    const auto take = [&](int t, std::size_t station) {
      seen_[at(t)] = round_;
      own.push_back({t, station});
    };
    const auto taken = [&](int t) { return owner_[at(t)] >= 0 || seen_[at(t)] == round_; };
    for (std::size_t k = 0; k < tube.stations.size(); ++k)
      for (const int t : tube.stations[k].triangles)
        if (!taken(t) && !is_end_face(surface_, tube, t, k)) take(t, k);  // the last section may cut into it
    for (std::size_t i = 0; i < own.size(); ++i)
      for (const int n : surface_.neighbour[at(own[i].triangle)]) {
        if (n < 0 || taken(n)) continue;
        if (const auto where = station_beside(surface_, tube, n, own[i].station)) take(n, *where);
      }
    return own;
  }

  void claim(TracedTube tube, const std::vector<Beside>& own) {
    for (const Beside& each : own) owner_[at(each.triangle)] = static_cast<int>(tubes_.size());
    tubes_.push_back(std::move(tube));
    found_by_.emplace_back(search_, rank_);
  }

  // Do its normals lie across it? Those of corrugated tubes lean to and fro.
  [[nodiscard]] bool is_smooth(const TracedTube& tube, const std::vector<Beside>& own) const {
    constexpr double kLean = 0.03;  // mean square of how far they lean
    double sum = 0;
    double total = 0;
    for (const Beside& each : own) {
      const auto& [a, b, c] = surface_.triangle[at(each.triangle)];
      const Vec3& p = surface_.point[at(a)];
      const double area = (surface_.point[at(b)] - p).cross(surface_.point[at(c)] - p).norm();
      const double lean = surface_.normal[at(each.triangle)].dot(tube.stations[each.station].tangent);
      sum += area * lean * lean;
      total += area;
    }
    return sum < kLean * total;
  }

  const Surface& surface_;
  std::vector<int> owner_;
  Shells shells_;
  std::vector<bool> tried_;
  std::vector<bool> not_round_;  // tried in vain by the first search
  std::vector<bool> sheet_;      // no plane cuts a closed polygon out there, whatever is looked for
  std::vector<float> round_of_;  // how long a polygon near it is that the first search found no tube by; 0: not known
  AroundSeed around_;
  std::vector<int> seen_;
  int round_ = 0;
  struct Ahead {
    double most;  // how far it reaches along the tube
    int triangle;
  };
  std::vector<Ahead> open_;  // a heap: triangles to go on from
  CorrugatedSearch corrugated_;
  std::span<const Seed> shell_;  // that is searched
  Search search_ = Search::Smooth;
  static constexpr int kAlone = 8;
  int alone_ = 0;  // so many seeds more that fail in a shell with a hole leave their neighbours to be tried
  int rank_ = 0;   // of the seed that is tried
  std::vector<TracedTube> tubes_;
  std::vector<std::pair<Search, int>> found_by_;  // of each tube: which search, and the rank of its seed
};

}  // namespace

Trace trace_tubes(const Surface& surface) {
  return Tracer(surface).run();
}

}  // namespace filum::flexible
