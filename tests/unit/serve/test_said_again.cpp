// What a page says again because its connection broke, and what it gives back to a server that was started anew.
#include "unit/serve/bench_rig.hpp"

using namespace filum;
using serve::Json;
using test::Bench;

namespace {

Json say(Bench& bench, const Json& command, const std::string& page) {
  return bench.bench.answer(serve::Request::read(io::json_text(command), 1, page));
}

}  // namespace

TEST_SUITE("said again") {
  TEST_CASE("a number of a page is carried out once, and replied to alike") {
    Bench bench;
    bench.open();
    const Json longer = {{"id", 70}, {"change", 7}, {"cmd", "change_length"}, {"rod", "hose"}, {"by", 0.01}};
    const Json first = say(bench, longer, "a");
    REQUIRE(first["ok"] == true);
    const double length = *bench.editor().scene().rods[0].length;
    CHECK(say(bench, longer, "a") == first);
    CHECK(*bench.editor().scene().rods[0].length == length);
    // another page's number is another matter, and so is that of somebody without a name
    say(bench, longer, "b");
    say(bench, longer, "");
    say(bench, longer, "");
    CHECK(*bench.editor().scene().rods[0].length == doctest::Approx(length + 0.03));
  }

  TEST_CASE("what was refused is refused again, whatever has changed since") {
    Bench bench;
    bench.open();
    const Json gone = {{"id", 1}, {"change", 1}, {"cmd", "remove_hold"}, {"hold", "third"}};
    const Json first = say(bench, gone, "a");
    CHECK(first["ok"] == false);
    bench.must({{"cmd", "add_hold"}, {"rod", "hose"}, {"at", "50 %"}, {"name", "third"}});
    CHECK(say(bench, gone, "a") == first);
    CHECK(bench.editor().scene().holds.size() == 3);
  }

  TEST_CASE("how much was done is told by page, also of numbers whose replies are forgotten") {
    Bench bench;
    bench.open();
    for (int n = 1; n <= 200; ++n) say(bench, {{"change", n}, {"cmd", "speed"}, {"speed", 1}}, "a");
    say(bench, {{"change", 3}, {"cmd", "speed"}, {"speed", 2}}, "b");
    CHECK(bench.bench.ledger().done() == std::map<std::string, double>{{"a", 200}, {"b", 3}});
    const Json old = say(bench, {{"change", 2}, {"cmd", "speed"}, {"speed", 50}}, "a");
    CHECK(old["ok"] == false);
    CHECK(bench.editor().speed() == 2);
  }

  TEST_CASE("a page of many is forgotten, the one that was silent longest") {
    serve::PageLedger ledger;
    for (int k = 0; k < 100; ++k) ledger.once({"page " + std::to_string(k), 1}, [] { return Json{{"ok", true}}; });
    CHECK(ledger.done().size() == 64);
    CHECK_FALSE(ledger.done().contains("page 0"));
    CHECK(ledger.done().contains("page 99"));
  }

  TEST_CASE("unsaved changes of no file count as such, and are given back to an untouched server alone") {
    Bench bench;
    bench.must({{"cmd", "open"}, {"text", test::kHose}, {"name", "mine"}, {"unsaved", true}, {"untouched", true}});
    CHECK(bench.editor().document().dirty());
    CHECK(bench.editor().document().path().empty());
    CHECK(bench.editor().document().name() == "mine");
    const Json second = bench.say({{"cmd", "open"}, {"text", test::kHose}, {"unsaved", true}, {"untouched", true}});
    CHECK(second["ok"] == false);
    CHECK(second["touched"] == true);
  }

  TEST_CASE("a mesh may be kept before a document names it") {
    Bench bench;
    const std::string mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    REQUIRE(bench.bench.keep_mesh("flap.obj", mesh));
    REQUIRE(bench.bench.keep_mesh("flap.obj", mesh));
    CHECK(bench.editor().scene().scenery.empty());
    bench.must({{"cmd", "open"}, {"text", std::string(test::kHose) + "scenery: {flap: {mesh: flap.obj}}\n"}});
    CHECK(bench.scene()["scenery"][0]["address"] != "");
    CHECK(*bench.bench.meshes().dropped("flap.obj") == mesh);
    CHECK_FALSE(bench.bench.keep_mesh("../flap.obj", mesh).ok());
  }
}
