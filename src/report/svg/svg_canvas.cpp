#include "report/svg/svg_canvas.hpp"

#include "report/html/html_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace filum::io {
namespace {

// Tenths of a pixel, no trailing zero, and nothing a viewer could choke on.
void put(std::string& out, double value) {
  constexpr double kFar = 1e6;
  if (!std::isfinite(value)) value = 0;
  const long tenths = std::lround(std::clamp(value, -kFar, kFar) * 10);
  if (tenths < 0) out += '-';
  out += std::to_string(std::abs(tenths) / 10);
  if (tenths % 10 != 0) (out += '.') += static_cast<char>('0' + std::abs(tenths) % 10);
}

void put(std::string& out, const char* name, double value) {
  out += name;
  out += "=\"";
  put(out, value);
  out += "\" ";
}

}  // namespace

double text_width(std::string_view text, double font_size) {
  // code points, not bytes; an average glyph is about 0.56 em wide
  const auto glyphs = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return 0.58 * font_size * static_cast<double>(glyphs);
}

void Canvas::line(const Vec2& a, const Vec2& b, std::string_view style) {
  if (!a.allFinite() || !b.allFinite()) return;
  out_ += "<line ";
  put(out_, "x1", a.x());
  put(out_, "y1", a.y());
  put(out_, "x2", b.x());
  put(out_, "y2", b.y());
  out_ += style;
  out_ += "/>\n";
}

void Canvas::path(const std::vector<Vec2>& points, bool closed) {
  out_ += "<path d=\"";
  bool pen_down = false;
  for (const Vec2& p : points) {
    if (p.allFinite()) {
      out_ += pen_down ? 'L' : 'M';
      put(out_, p.x());
      out_ += ' ';
      put(out_, p.y());
    }
    pen_down = p.allFinite();
  }
  out_ += closed ? "Z\" " : "\" ";
}

void Canvas::polyline(const std::vector<Vec2>& points, std::string_view style, std::string_view tip) {
  if (std::none_of(points.begin(), points.end(), [](const Vec2& p) { return p.allFinite(); })) return;
  path(points, false);
  out_ += "fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" ";
  out_ += style;
  out_ += tip.empty() ? "/>\n" : "><title>" + escape(tip) + "</title></path>\n";
}

void Canvas::polygon(const std::vector<Vec2>& points, std::string_view style) {
  if (!std::all_of(points.begin(), points.end(), [](const Vec2& p) { return p.allFinite(); })) return;
  path(points, true);
  out_ += style;
  out_ += "/>\n";
}

void Canvas::circle(const Vec2& centre, double radius, std::string_view style) {
  if (!centre.allFinite()) return;
  out_ += "<circle ";
  put(out_, "cx", centre.x());
  put(out_, "cy", centre.y());
  put(out_, "r", radius);
  out_ += style;
  out_ += "/>\n";
}

void Canvas::rectangle(const Vec2& corner, const Vec2& size, std::string_view style) {
  out_ += "<rect ";
  put(out_, "x", corner.x());
  put(out_, "y", corner.y());
  put(out_, "width", size.x());
  put(out_, "height", size.y());
  out_ += style;
  out_ += "/>\n";
}

void Canvas::text(const Vec2& at, std::string_view text, Anchor anchor, std::string_view style) {
  if (!at.allFinite()) return;
  out_ += "<text ";
  put(out_, "x", at.x());
  put(out_, "y", at.y());
  if (anchor != Anchor::Start) out_ += anchor == Anchor::Middle ? "text-anchor=\"middle\" " : "text-anchor=\"end\" ";
  out_ += style;
  out_ += ">" + escape(text) + "</text>\n";
}

void Canvas::arrow(const Vec2& a, const Vec2& b, double width, std::string_view line_style,
                   std::string_view head_style) {
  const double length = (b - a).norm();
  if (!(length > 1e-3)) return;
  // a short arrow gets a smaller head
  const double head = std::min(4.2 * width, 0.6 * length);
  const Vec2 along = (b - a) / length;
  const Vec2 side(-along.y(), along.x());
  const Vec2 neck = b - head * along;
  line(a, neck, fmt::format("stroke-width=\"{:.1f}\" {}", width, line_style));
  polygon({b, neck + 0.42 * head * side, neck - 0.42 * head * side}, head_style);
}

void Canvas::open_clip(const Vec2& corner, const Vec2& size) {
  // a nested drawing cuts off at its edge and, unlike a clip path, needs no id that is unique in the page
  out_ += fmt::format(
      "<svg x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\" viewBox=\"{0:.1f} {1:.1f} {2:.1f} "
      "{3:.1f}\" "
      "overflow=\"hidden\">\n",
      corner.x(), corner.y(), size.x(), size.y());
}

void Canvas::open_group(std::string_view style) {
  out_ += "<g ";
  out_ += style;
  out_ += ">\n";
}

std::string Canvas::finish(std::string_view label) const {
  return fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n", width_, height_,
                     escape(label)) +
         out_ + "</svg>\n";
}

}  // namespace filum::io
