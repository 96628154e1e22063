// An SVG drawing in the making: lines, areas, texts in pixels, y down.
//
// Colours that differ between light and dark pages come by class from the page's style sheet; everything else is given
// as attributes. Points that are not finite are left out, so a broken state still gives a valid picture.
#pragma once

#include <filum/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

enum class Anchor { Start, Middle, End };

class Canvas {
 public:
  Canvas(double width, double height) : width_(width), height_(height) {}

  // `style` is a list of attributes, e.g. class="grid" stroke-width="2".
  void line(const Vec2& a, const Vec2& b, std::string_view style);
  // Points that are not finite break the line. `tip` is shown when the pointer rests on it.
  void polyline(const std::vector<Vec2>& points, std::string_view style, std::string_view tip = {});
  void polygon(const std::vector<Vec2>& points, std::string_view style);
  void circle(const Vec2& centre, double radius, std::string_view style);
  void rectangle(const Vec2& corner, const Vec2& size, std::string_view style);
  // Escapes `text`.
  void text(const Vec2& at, std::string_view text, Anchor anchor, std::string_view style);
  // A line with a filled head at `b`.
  void arrow(const Vec2& a, const Vec2& b, double width, std::string_view line_style, std::string_view head_style);

  // What is drawn until close() is cut off outside the rectangle; coordinates stay those of the whole drawing.
  void open_clip(const Vec2& corner, const Vec2& size);
  void open_group(std::string_view style);
  void close_clip() { out_ += "</svg>\n"; }
  void close_group() { out_ += "</g>\n"; }

  // The finished element; `label` says in words what it shows.
  [[nodiscard]] std::string finish(std::string_view label) const;

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return height_; }

 private:
  void path(const std::vector<Vec2>& points, bool closed);

  double width_, height_;
  std::string out_;
};

// About how wide a text is, px: good enough to keep labels apart.
double text_width(std::string_view text, double font_size);

}  // namespace filum::io
