// Solids of STEP files as triangles, by OCCT (Open CASCADE), which CMake may have found or not.
//
// The library turns every unit of the file into millimetres. A face is tessellated so that its triangles are within
// kDeflection of it and their normals within kAngle of its own.
#include "io/mesh/mesh_read.hpp"

#ifdef FILUM_WITH_OCCT

#include <BRepMesh_IncrementalMesh.hxx>
#include <BRep_Tool.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_PrinterOStream.hxx>
#include <Poly_Triangulation.hxx>
#include <STEPControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <TopAbs_Orientation.hxx>
#include <TopExp_Explorer.hxx>
#include <TopLoc_Location.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Shape.hxx>

#include <sstream>
#include <utility>

namespace filum::io {
namespace {

constexpr double kDeflection = 0.1;  // mm
constexpr double kAngle = 0.2;       // rad
constexpr double kMillimetre = 1e-3;

void add_face(const TopoDS_Face& face, MeshFile& mesh) {
  TopLoc_Location where;
  const Handle(Poly_Triangulation) part = BRep_Tool::Triangulation(face, where);
  if (part.IsNull()) return;
  const int first = static_cast<int>(mesh.points.size()) - 1;  // the library counts from 1
  for (int i = 1; i <= part->NbNodes(); ++i) {
    const gp_Pnt p = part->Node(i).Transformed(where.Transformation());
    mesh.points.push_back(kMillimetre * Vec3(p.X(), p.Y(), p.Z()));
  }
  for (int i = 1; i <= part->NbTriangles(); ++i) {
    int a = 0;
    int b = 0;
    int c = 0;
    part->Triangle(i).Get(a, b, c);
    // a face that is turned over has its triangles the wrong way round
    if (face.Orientation() == TopAbs_REVERSED) std::swap(b, c);
    mesh.triangles.push_back({first + a, first + b, first + c});
  }
}

MeshFile tessellated(const TopoDS_Shape& shape) {
  const BRepMesh_IncrementalMesh made(shape, kDeflection, Standard_False, kAngle);
  MeshFile mesh;
  mesh.unit = 1;
  for (TopExp_Explorer face(shape, TopAbs_FACE); face.More(); face.Next()) add_face(TopoDS::Face(face.Current()), mesh);
  return mesh;
}

}  // namespace

Result<MeshFile> parse_step(const std::string& bytes, const std::string& file) {
  // what it prints belongs to nobody
  Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_PrinterOStream));
  try {
    STEPControl_Reader reader;
    std::istringstream stream(bytes);
    if (reader.ReadStream(file.c_str(), stream) != IFSelect_RetDone)
      return file_error(file, "no STEP file that can be read");
    reader.TransferRoots();
    const TopoDS_Shape shape = reader.OneShape();
    if (shape.IsNull()) return file_error(file, "there is nothing drawn in this STEP file");
    MeshFile mesh = tessellated(shape);
    if (mesh.triangles.empty())
      return file_error(file, "there is no solid and no surface in this STEP file, at most curves");
    return mesh;
  } catch (const Standard_Failure& failure) {
    return file_error(file, std::string("no STEP file that can be read: ") + failure.GetMessageString());
  }
}

}  // namespace filum::io

#else

namespace filum::io {

Result<MeshFile> parse_step(const std::string&, const std::string& file) {
  return file_error(file,
                    "this program was built without a reader for solids in STEP; install OCCT (Debian: "
                    "libocct-data-exchange-dev, libtbb-dev) and build it anew, or save the part as .stl");
}

}  // namespace filum::io

#endif
