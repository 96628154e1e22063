#include "io/export/step_data.hpp"

#include <fmt/format.h>

namespace filum::io {
namespace {

// A real number has a point.
std::string real(double value) {
  std::string text = fmt::format("{:.15G}", value);
  if (text.find('.') == std::string::npos) {
    const std::size_t e = text.find('E');
    text.insert(e == std::string::npos ? text.size() : e, ".");
  }
  return text;
}

// Quotes are doubled; what is not printable ASCII stands as its number in UTF-16.
std::string step_string(std::string_view text) {
  std::string out = "'";
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const int count = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    if (count == 1) {
      if (byte >= 32 && byte < 127) out += text[i];
      if (text[i] == '\'' || text[i] == '\\') out += text[i];
      ++i;
      continue;
    }
    unsigned code = byte & (0xFFu >> (count + 1));
    for (int k = 1; k < count && i + static_cast<std::size_t>(k) < text.size(); ++k)
      code = (code << 6) | (static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]) & 0x3Fu);
    if (code < 0x10000)
      out += fmt::format("\\X2\\{:04X}\\X0\\", code);
    else
      out += fmt::format("\\X4\\{:08X}\\X0\\", code);
    i += static_cast<std::size_t>(count);
  }
  return out + "'";
}

// Product and context; returns the numbers of the shape's definition and of the context.
std::pair<int, int> add_product(StepData& data, const std::string& name) {
  const int context = data.add("APPLICATION_CONTEXT('automotive design')");
  data.add(
      fmt::format("APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,#{})", context));
  const int product_context = data.add(fmt::format("PRODUCT_CONTEXT('',#{},'mechanical')", context));
  const int product = data.add(fmt::format("PRODUCT({0},{0},'',(#{1}))", step_string(name), product_context));
  const int formation = data.add(fmt::format("PRODUCT_DEFINITION_FORMATION('','',#{})", product));
  const int design = data.add(fmt::format("PRODUCT_DEFINITION_CONTEXT('part definition',#{},'design')", context));
  const int definition = data.add(fmt::format("PRODUCT_DEFINITION('design','',#{},#{})", formation, design));
  const int shape = data.add(fmt::format("PRODUCT_DEFINITION_SHAPE('','',#{})", definition));
  // units
  const int length = data.add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))");
  const int angle = data.add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))");
  const int solid = data.add("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())");
  const int accuracy = data.add(
      fmt::format("UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-5),#{},'distance_accuracy_value','')", length));
  const int space = data.add(fmt::format(
      "(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#{}))GLOBAL_UNIT_ASSIGNED_CONTEXT((#{},"
      "#{},#{}))REPRESENTATION_CONTEXT('',''))",
      accuracy, length, angle, solid));
  return {shape, space};
}

}  // namespace

int StepData::add(const std::string& entity) {
  text_ += fmt::format("#{}={};\n", ++last_, entity);
  return last_;
}

int StepData::point(const Vec3& metres) {
  return add(fmt::format("CARTESIAN_POINT('',({},{},{}))", real(1e3 * metres.x()), real(1e3 * metres.y()),
                         real(1e3 * metres.z())));
}

int StepData::direction(const Vec3& unit) {
  return add(fmt::format("DIRECTION('',({},{},{}))", real(unit.x()), real(unit.y()), real(unit.z())));
}

int StepData::curve(const geometry::BSpline& curve, const std::string& name) {
  std::string points;
  for (const Vec3& control : curve.points) points += (points.empty() ? "#" : ",#") + std::to_string(point(control));
  // knots that are equal are one with a multiplicity
  std::string multiplicities;
  std::string knots;
  for (std::size_t i = 0; i < curve.knots.size();) {
    std::size_t next = i;
    while (next < curve.knots.size() && curve.knots[next] == curve.knots[i]) ++next;
    multiplicities += (i > 0 ? "," : "") + std::to_string(next - i);
    knots += (i > 0 ? "," : "") + real(curve.knots[i]);
    i = next;
  }
  return add(fmt::format("B_SPLINE_CURVE_WITH_KNOTS({},{},({}),.UNSPECIFIED.,.F.,.F.,({}),({}),.UNSPECIFIED.)",
                         step_string(name), curve.degree, points, multiplicities, knots));
}

int StepData::piece(const geometry::PathPiece& piece, const std::string& name) {
  const int from = point(piece.from);
  const int to = point(piece.to);
  const auto trimmed = [&](int basis, double last) {
    return add(fmt::format("TRIMMED_CURVE({},#{},(#{},PARAMETER_VALUE(0.)),(#{},PARAMETER_VALUE({})),.T.,.PARAMETER.)",
                           step_string(name), basis, from, to, real(last)));
  };
  if (piece.axis.isZero()) {
    const Vec3 way = piece.to - piece.from;
    const int vector = add(fmt::format("VECTOR('',#{},1.)", direction(way.normalized())));
    return trimmed(add(fmt::format("LINE('',#{},#{})", from, vector)), 1e3 * way.norm());
  }
  const int axis = direction(piece.axis);
  const int towards = direction((piece.from - piece.centre) / piece.radius);
  const int place = add(fmt::format("AXIS2_PLACEMENT_3D('',#{},#{},#{})", point(piece.centre), axis, towards));
  return trimmed(add(fmt::format("CIRCLE('',#{},{})", place, real(1e3 * piece.radius))), piece.angle);
}

std::string step_file(StepData data, const std::vector<int>& curves, const std::string& title,
                      const std::string& description) {
  const auto [shape, space] = add_product(data, title);
  if (!curves.empty()) {
    std::string list;
    for (const int curve : curves) list += (list.empty() ? "#" : ",#") + std::to_string(curve);
    const int set = data.add(fmt::format("GEOMETRIC_CURVE_SET('',({}))", list));
    const int place = data.add(fmt::format("AXIS2_PLACEMENT_3D('',#{},$,$)", data.point(Vec3::Zero())));
    const int wires = data.add(
        fmt::format("GEOMETRICALLY_BOUNDED_WIREFRAME_SHAPE_REPRESENTATION('',(#{},#{}),#{})", set, place, space));
    data.add(fmt::format("SHAPE_DEFINITION_REPRESENTATION(#{},#{})", shape, wires));
  }
  return fmt::format(
      "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(({}),'2;1');\n"
      "FILE_NAME({},'',(''),(''),'Filum','Filum','');\n"
      "FILE_SCHEMA(('AUTOMOTIVE_DESIGN {{ 1 0 10303 214 1 1 1 1 }}'));\nENDSEC;\nDATA;\n{}ENDSEC;\nEND-ISO-10303-21;\n",
      step_string(description), step_string(title), data.text());
}

}  // namespace filum::io
