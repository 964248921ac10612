// The store conformance suite on a real three-node cluster with quorum commit, unchanged
// (eventstore/store_conformance.h): every test has a database of its own.
#include "eventstore/postgres_store.h"
#include "eventstore/store_conformance.h"
#include "tests/postgres/cluster.h"

namespace wardiary::testing {
namespace {

// One cluster for all tests, started when the first wants it.
Cluster& cluster() {
  static Cluster all(3);
  return all;
}

class PostgresHarness : public StoreHarness {
 public:
  PostgresHarness() {
    static int databases = 0;
    database_ = "conformance" + std::to_string(++databases);
    cluster().create_database(database_);
    open(true);
  }
  EventStore& store() override { return *store_; }
  void reopen() override {
    store_.reset();
    open(false);
  }
  std::string new_place() override { return dir_ / ("new" + std::to_string(++places_)); }

 private:
  void open(bool create) {
    PostgresOptions options;
    options.uri = cluster().uri(database_);
    options.directory = dir_ / "keys";
    options.create_if_missing = create;
    options.warn = [](const std::string& text) { ADD_FAILURE() << "warned: " << text; };
    options.poll_ms = 20;
    auto opened = open_postgres_store(options);
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    store_ = std::move(*opened);
  }

  TempDir dir_;
  std::string database_;
  std::unique_ptr<EventStore> store_;
  int places_ = 0;
};

std::unique_ptr<StoreHarness> make_postgres() {
  return std::make_unique<PostgresHarness>();
}

INSTANTIATE_TEST_SUITE_P(Postgres, StoreConformance, ::testing::Values(&make_postgres));

}  // namespace
}  // namespace wardiary::testing
