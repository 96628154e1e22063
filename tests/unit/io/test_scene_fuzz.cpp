// Mutated scenes: each is refused with line and reason, or what is written of it reads back to the same scene.
//
// Two kinds of damage: to the bytes (flipped, inserted, deleted, doubled, spliced) and to the tree (keys and values
// dropped, doubled, renamed, swapped, numbers and units changed). The seed is fixed, so a failure can be repeated.
#include "test_scene_samples.hpp"

#include "io/yaml/yaml_scalar.hpp"
#include "io/yaml/yaml_tree.hpp"
#include "scene/describe/tables.hpp"

#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace filum::test_scene_fuzz {

namespace {

// Bytes that mean something in YAML or in a number.
constexpr std::string_view kSigns = "{}[]:,#&*!|>'\"%@-? \n\t09.eE/";

class Mutator {
 public:
  explicit Mutator(std::vector<std::string> seeds) : seeds_(std::move(seeds)) {
    for (const std::string& seed : seeds_) {
      const Result<io::Node> tree = io::parse_yaml(seed);
      if (!tree) FAIL(tree.error().text());
      trees_.push_back(*tree);
      // undamaged, it must still be a scene
      std::string text;
      emit(*tree, text);
      const Result<Scene> scene = parse_scene(text, "seed.yaml");
      if (!scene) FAIL(scene.error().text() << "\n" << text);
    }
    for (const scene::Table* table : scene::all_tables())
      for (const scene::Field& field : table->fields) keys_.emplace_back(field.key);
  }

  std::string next() { return below(2) == 0 ? damaged_bytes() : damaged_tree(); }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  template <class T>
  T& pick(std::vector<T>& list) {
    return list[below(list.size())];
  }

  std::string damaged_bytes();
  std::string damaged_tree();
  void damage(io::Node& root);
  void change_digit(std::string& text);
  std::string odd_value();
  static void collect(io::Node& node, std::vector<io::Node*>& all);
  static void emit(const io::Node& node, std::string& out);

  std::mt19937_64 random_{20240117};
  std::vector<std::string> seeds_;
  std::vector<io::Node> trees_;
  std::vector<std::string> keys_;
};

std::string Mutator::damaged_bytes() {
  std::string text = pick(seeds_);
  for (std::size_t count = 1 + below(3); count > 0 && !text.empty(); --count) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min<std::size_t>(1 + below(30), text.size() - at);
    switch (below(8)) {
      case 0:  // one bit
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:  // a byte that means something in YAML
        text.insert(at, 1, kSigns[below(kSigns.size())]);
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(at, length));
        break;
      case 4:
      case 5:
        change_digit(text);
        break;
      case 6:  // any byte
        text[at] = static_cast<char>(below(256));
        break;
      default: {  // a piece of another scene
        const std::string& other = pick(seeds_);
        const std::size_t from = below(other.size());
        text.replace(at, length, other.substr(from, 1 + below(60)));
      }
    }
  }
  return text;
}

// Another digit somewhere in the text: the gentlest damage, which many scenes survive.
void Mutator::change_digit(std::string& text) {
  const std::size_t at = text.find_first_of("0123456789", below(text.size()));
  if (at != std::string::npos) text[at] = static_cast<char>('0' + below(10));
}

std::string Mutator::odd_value() {
  static std::vector<std::string> values{
      "0",       "-0",    "1",         "-1",      "0.5",    "1e308",      "1e-308",    "1e12",  "-1e12",
      "1e999",   "nan",   "inf",       "1/3",     "1/0",    "2/-3",       "1 mm",      "3 in",  "7 %",
      "100/7 %", "-5 %",  "40 N",      "30 deg",  "2 GPa",  "1 t",        "5 furlong", "",      "~",
      "true",    "false", "start",     "end",     "middle", "end - 1 mm", "free",      "fixed", "driven",
      "x",       "tube",  "as-shaped", "a: b",    "\n",     "é🧵",     "position",  "1e-13", "steel",
      "hose",    "wire",  "999999",    "1000001", "12.5 %", "0x1F",       "1_000",     "null",  "equilibrium"};
  return pick(values);
}

void Mutator::collect(io::Node& node, std::vector<io::Node*>& all) {
  all.push_back(&node);
  for (io::Node& child : node.children) collect(child, all);
}

void Mutator::damage(io::Node& root) {
  std::vector<io::Node*> all;
  collect(root, all);
  io::Node& node = *pick(all);
  // a scalar gets another value; a collection loses, doubles, renames or swaps its parts
  const std::size_t stride = node.is_mapping() ? 2 : 1;
  const std::size_t items = node.children.size() / stride;
  if (node.is_scalar() && !node.text.empty() && below(2) == 0) return change_digit(node.text);
  if (node.is_scalar() || items == 0) {
    io::Node value;
    value.text = odd_value();
    value.plain = below(2) == 0;
    node = value;
    return;
  }
  const auto first = node.children.begin();
  const auto at = static_cast<std::ptrdiff_t>(below(items) * stride);
  const auto other = static_cast<std::ptrdiff_t>(below(items) * stride);
  switch (below(6)) {
    case 0:
      node.children.erase(first + at, first + at + static_cast<std::ptrdiff_t>(stride));
      break;
    case 1: {
      std::vector<io::Node> copy(first + at, first + at + static_cast<std::ptrdiff_t>(stride));
      if (stride == 2 && below(3) > 0) copy[0].text += "2";
      node.children.insert(node.children.begin() + other, copy.begin(), copy.end());
      break;
    }
    case 2:
      if (stride == 2) node.children[static_cast<std::size_t>(at)].text = below(3) == 0 ? odd_value() : pick(keys_);
      break;
    case 3:
      std::swap(node.children[static_cast<std::size_t>(at) + stride - 1],
                node.children[static_cast<std::size_t>(other) + stride - 1]);
      break;
    case 4: {  // any value from anywhere
      const io::Node copy = *pick(all);
      node.children[static_cast<std::size_t>(at) + stride - 1] = copy;
      break;
    }
    default:  // numbers of another size or sign
      for (io::Node& child : node.children)
        if (child.is_scalar() && !child.text.empty() && child.text[0] >= '0' && child.text[0] <= '9')
          child.text.insert(0, 1, "123-."[below(5)]);
  }
}

// In brackets throughout; plain texts as they stand, so that damage to them stays damage.
void Mutator::emit(const io::Node& node, std::string& out) {
  if (node.is_scalar()) {
    const bool one_line = node.text.find('\n') == std::string::npos;
    out += node.plain && one_line ? node.text : io::yaml_scalar(node.text);
    return;
  }
  out += node.is_mapping() ? '{' : '[';
  const std::size_t stride = node.is_mapping() ? 2 : 1;
  for (std::size_t i = 0; i + stride <= node.children.size(); i += stride) {
    if (i > 0) out += ",\n ";
    emit(node.children[i], out);
    if (stride == 2) out += ": ";
    if (stride == 2) emit(node.children[i + 1], out);
  }
  out += node.is_mapping() ? '}' : ']';
}

std::string Mutator::damaged_tree() {
  io::Node tree = pick(trees_);
  for (std::size_t count = 1 + below(2); count > 0; --count) damage(tree);
  std::string text;
  emit(tree, text);
  return text;
}

std::string file_text(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void refuse_or_survive(int mutants) {
  Mutator mutator({test::kFullScene, test::kSmallScene,
                   file_text(std::string(FILUM_SOURCE_DIR) + "/scenes/brake-hose.yaml"), test::kTreeScene,
                   test::kSmallScene + "simulation: {stepper: projection, end: 2}\n"});
  int accepted = 0;
  for (int i = 0; i < mutants; ++i) {
    const std::string text = mutator.next();
    const Result<Scene> scene = parse_scene(text, "mutant.yaml");
    if (!scene) {
      if (scene.error().line > 0 && !scene.error().message.empty()) continue;
      FAIL("mutant " << i << ": " << scene.error().text() << "\n" << text);
    }
    ++accepted;
    const std::string written = write_scene(*scene);
    const Result<Scene> again = parse_scene(written, "written.yaml");
    if (!again) FAIL("mutant " << i << ": " << again.error().text() << "\n" << text << "\n" << written);
    if (!(*again == *scene)) FAIL("mutant " << i << " changed:\n" << text << "\n" << written);
  }
  // both outcomes must be well represented, or the test shows nothing
  CHECK(accepted > mutants / 10);
  CHECK(accepted < mutants - mutants / 10);
}

}  // namespace

TEST_CASE("20 000 mutated scenes are refused with line and reason, or survive writing") {
  refuse_or_survive(20'000);
}

TEST_SUITE("long") {
  TEST_CASE("100 000 mutated scenes likewise") {
    refuse_or_survive(100'000);
  }
}

}  // namespace filum::test_scene_fuzz
