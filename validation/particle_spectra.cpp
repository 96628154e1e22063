// How chains of particles move under a heavy load: distributions, return maps and spectra of the stretch of a link and
// of the angle of a joint, without and with implicit bending.
//
// The scheme is the source's own (src/published). Without bending the motion above the limit is chaotic, so bounds are
// wide; the source shows pictures and no numbers.
#include "math/rotation.hpp"
#include "published/servin_particles.hpp"
#include "report/svg/svg_chart.hpp"
#include "validation/cases.hpp"
#include "validation/scatter.hpp"
#include "validation/scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

namespace filum::validation {

namespace particle_spectra_case {
namespace {

using published::ParticleChain;
using published::ParticleModel;

constexpr double kStep = 1.0 / 60;
constexpr double kLinks = 0;  // ε_a of (a): no angles

using Samples = std::vector<double>;

// What a drop of 30 s says of the link at the anchor and of the joint below it, a sample a step.
struct Motion {
  Samples stretch, angle;
};
Motion motion(double ratio, double angle_compliance, double link_compliance = 1e-6) {
  ParticleChain chain;
  chain.model = angle_compliance > 0 ? ParticleModel::Angles : ParticleModel::Links;
  chain.load = ratio;
  chain.link_compliance = link_compliance;
  chain.further_compliance = angle_compliance;
  const published::ParticleDrop drop = published::drop(chain);
  Motion result;
  for (const auto& stretch : drop.stretch) result.stretch.push_back(stretch[0]);
  for (const auto& angle : drop.angle) result.angle.push_back(angle[0]);
  return result;
}

double mean(const Samples& y) {
  return std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
}

// The correlation of a sample with the next.
double correlation(const Samples& y) {
  const double middle = mean(y);
  double square = 0;
  double product = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    square += (y[i] - middle) * (y[i] - middle);
    if (i + 1 < y.size()) product += (y[i] - middle) * (y[i + 1] - middle);
  }
  return product / square;
}

// What is left without the swing: each sample less the mean of the quarter second around it.
Samples without_swing(const Samples& y) {
  constexpr std::size_t kHalf = 7;
  Samples rest;
  for (std::size_t i = kHalf; i + kHalf < y.size(); ++i) {
    double sum = 0;
    for (std::size_t k = i - kHalf; k <= i + kHalf; ++k) sum += y[k];
    rest.push_back(y[i] - sum / (2 * kHalf + 1));
  }
  return rest;
}

// Amplitudes at the frequencies k/(n h) below 30 Hz, by the plain sum: n is small. The window 1 − cos, whose square has
// the mean 3/2, keeps what begins and ends at different places from showing at all frequencies.
struct Spectrum {
  Samples frequency, amplitude;
};
Spectrum spectrum(const Samples& y) {
  const auto count = static_cast<double>(y.size());
  const double middle = mean(y);
  const auto angle = [&](std::size_t i) { return 2 * math::kPi * static_cast<double>(i % y.size()) / count; };
  Spectrum result;
  for (std::size_t k = 1; k < y.size() / 2; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      sum += (y[i] - middle) * (1 - std::cos(angle(i))) * std::polar(1.0, -angle(k * i));
    result.frequency.push_back(static_cast<double>(k) / (count * kStep));
    result.amplitude.push_back(2 * std::abs(sum) / count / std::sqrt(1.5));
  }
  return result;
}

// Of all frequencies from `from` on: the effective amplitude, and their mean weighted with the power.
double effective(const Spectrum& spectrum, double from) {
  double power = 0;
  for (std::size_t k = 0; k < spectrum.frequency.size(); ++k)
    if (spectrum.frequency[k] >= from) power += spectrum.amplitude[k] * spectrum.amplitude[k] / 2;
  return std::sqrt(power);
}
double centre(const Spectrum& spectrum) {
  double power = 0;
  double moment = 0;
  for (std::size_t k = 0; k < spectrum.frequency.size(); ++k) {
    const double square = spectrum.amplitude[k] * spectrum.amplitude[k];
    power += square;
    moment += square * spectrum.frequency[k];
  }
  return moment / power;
}

// The share of samples in each of equal bins from low to high, as the corners of a stepped line.
io::Series histogram(const std::string& name, const Samples& y, double low, double high, int bins) {
  Samples share(static_cast<std::size_t>(bins), 0.0);
  for (const double value : y) {
    const double place = (value - low) / (high - low) * bins;
    if (place >= 0 && place < bins) share[static_cast<std::size_t>(place)] += 1 / static_cast<double>(y.size());
  }
  io::Series series{name, {}, {}};
  for (int b = 0; b < bins; ++b)
    for (const int end : {b, b + 1}) {
      series.x.push_back(low + (high - low) * end / bins);
      series.y.push_back(share[static_cast<std::size_t>(b)]);
    }
  return series;
}

void add_distributions(Sheet& sheet) {
  const Motion links = motion(100, kLinks);
  const Motion bent = motion(100, 1e-4);
  sheet.at_least("M/m = 100: mean angle of (a) over that of (e)", mean(links.angle) / mean(bent.angle), 10,
                 "«much smaller»: more than a decade");
  // two peaks: the swing's turning points and its lowest points
  const double high = *std::max_element(bent.stretch.begin(), bent.stretch.end());
  const io::Series shares = histogram("", bent.stretch, 0, high * (1 + 1e-9), 9);
  const double ends = std::min(shares.y.front(), shares.y.back());
  sheet.at_least("M/m = 100, (e): stretches at either end of their range over those in the middle", ends / shares.y[8],
                 2, "two peaks");
}

void add_maps(Sheet& sheet) {
  sheet.at_most("M/m = 150, (a): correlation of φ_d with the next, swing taken out",
                correlation(without_swing(motion(150, kLinks).stretch)), 0.4, "scattered");
  sheet.at_least("M/m = 150, (e): correlation of φ_d with the next", correlation(motion(150, 1e-4).stretch), 0.99,
                 "an ellipse as slender as the swing is slow: cos(2πh/T) of half the swing's period is 0.999");
  sheet.at_least("M/m = 100, (a): correlation of φ_d with the next", correlation(motion(100, kLinks).stretch), 0.8,
                 "below the closed form's limit: scattered around the swing only");
  sheet.at_most("M/m = 100, (a), ε_d = 1e-8: correlation of φ_d with the next",
                correlation(motion(100, kLinks, 1e-8).stretch), 0.8, "with the table's stiffness the swing hides less");
}

void add_spectra(Sheet& sheet) {
  const Spectrum soft = spectrum(motion(150, 1e-1).stretch);
  const Spectrum medium = spectrum(motion(150, 5e-3).stretch);
  const Spectrum stiff = spectrum(motion(150, 1e-4).stretch);
  constexpr double kFast = 5;  // Hz, well above the swing
  sheet.at_least("M/m = 150: effective φ_d above 5 Hz, ε_a = 1e-1 over 5e-3",
                 effective(soft, kFast) / effective(medium, kFast), 3, "«shrinks»");
  sheet.at_least("M/m = 150: effective φ_d above 5 Hz, ε_a = 5e-3 over 1e-4",
                 effective(medium, kFast) / effective(stiff, kFast), 10, "«shrinks»");
  sheet.at_least("M/m = 150: centre of the spectrum of φ_d, ε_a = 1e-1 over 5e-3", centre(soft) / centre(medium), 3,
                 "«moves down»");
  sheet.at_least("M/m = 150: centre of the spectrum of φ_d, ε_a = 5e-3 over 1e-4", centre(medium) / centre(stiff), 1.1,
                 "«moves down»");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  add_distributions(sheet);
  setting.tell(0.2);
  add_maps(sheet);
  setting.tell(0.5);
  add_spectra(sheet);
  return std::move(sheet).result();
}

Figure return_map(const char* model, double ratio, double angle_compliance, const char* caption) {
  const Motion moved = motion(ratio, angle_compliance);
  Scatter scatter{fmt::format("Return map, {}, M/m = {:.0f}", model, ratio), "φ_d(t), mm", "φ_d(t + h), mm", 1e3, {}};
  for (std::size_t i = 0; i + 1 < moved.stretch.size(); ++i)
    scatter.points.emplace_back(moved.stretch[i], moved.stretch[i + 1]);
  return {caption, scatter_svg(scatter)};
}

std::vector<Figure> distributions() {
  const Motion links = motion(100, kLinks);
  const Motion bent = motion(100, 1e-4);
  io::Chart stretch;
  stretch.title = "Share of steps by φ_d, M/m = 100";
  stretch.x_name = "φ_d of the top link";
  stretch.series = {histogram("(a)", links.stretch, 0, 5e-3, 40), histogram("(e)", bent.stretch, 0, 5e-3, 40)};
  // angles differ by decades
  const auto decades = [](Samples y) {
    for (double& value : y) value = std::log10(value);
    return y;
  };
  io::Chart angle;
  angle.title = "Share of steps by φ_a, M/m = 100";
  angle.x_name = "log10 of φ_a of the top joint, rad";
  angle.x_quantity = io::Quantity::Plain;
  angle.series = {histogram("(a)", decades(links.angle), -5, 0, 50), histogram("(e)", decades(bent.angle), -5, 0, 50)};
  return {{"Figs 2 and 3 of the source: stretch, ε_d = 1e-6, ε_a = 1e-4", io::chart_svg(stretch)},
          {"Figs 2 and 3 of the source: angles; those of (e) are much smaller", io::chart_svg(angle)}};
}

// Effective amplitudes of bands of half a hertz.
Figure spectra(const char* title, Samples Motion::*of, const char* caption) {
  io::Chart chart;
  chart.title = title;
  chart.x_name = "frequency, Hz";
  chart.x_quantity = io::Quantity::Plain;
  for (const double compliance : {1e-1, 5e-3, 1e-4}) {
    const Spectrum whole = spectrum(motion(150, compliance).*of);
    io::Series series{fmt::format("ε_a = {:g}", compliance), {}, {}};
    constexpr double kBand = 0.5;
    for (double low = 0; low < 29.5; low += kBand) {
      const double power = std::pow(effective(whole, low), 2) - std::pow(effective(whole, low + kBand), 2);
      series.x.push_back(low + kBand / 2);
      series.y.push_back(0.5 * std::log10(std::max(power, 1e-30)));
    }
    chart.series.push_back(std::move(series));
  }
  return {caption, io::chart_svg(chart)};
}

std::vector<Figure> figures() {
  std::vector<Figure> all = distributions();
  all.push_back(return_map("(a)", 100, kLinks,
                           "Fig. 4 of the source, at its own M/m, below the limit: scattered around the swing"));
  all.push_back(return_map("(e)", 100, 1e-4,
                           "Fig. 4 of the source: with implicit bending an ellipse, slender as the swing is slow"));
  all.push_back(return_map("(a)", 150, kLinks, "The same beyond the limit: scattered"));
  all.push_back(return_map("(e)", 150, 1e-4, "The same beyond the limit of (a): still an ellipse"));
  all.push_back(spectra("log10 of φ_d, m, M/m = 150", &Motion::stretch,
                        "Fig. 5 of the source: effective stretch of the top link in bands of 0.5 Hz"));
  all.push_back(spectra("log10 of φ_a, rad, M/m = 150", &Motion::angle, "The same for the angle of the top joint"));
  return all;
}

}  // namespace
}  // namespace particle_spectra_case

Case particle_spectra() {
  return {.name = "particle-spectra",
          .shows = "Implicit bending turns the erratic motion of a loaded chain into a smooth swing",
          .source = "Servin & Lacoursière 2007, figs 2 to 5, turned into numbers",
          .run = particle_spectra_case::run,
          .figures = particle_spectra_case::figures};
}

}  // namespace filum::validation
