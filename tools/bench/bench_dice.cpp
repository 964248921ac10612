// Provable dice against the bare libsodium multiplications they need, and the statistics of a long
// game. Compare prove with prove_multiplications and verify with verify_multiplications: the rest
// is hashing, trying points, and checks.
#include <benchmark/benchmark.h>
#include <sodium.h>

#include "domain/fairdice/chain.h"
#include "domain/fairdice/fairdice.h"
#include "domain/fairdice/signature.h"
#include "projections/statistics/random.h"
#include "projections/statistics/statistics.h"

namespace wardiary {
namespace {

using namespace fairdice;

struct Point {
  std::uint8_t bytes[32];
};

Point random_point() {
  Point p;
  crypto_core_ed25519_random(p.bytes);
  return p;
}

Point random_scalar() {
  Point s;
  crypto_core_ed25519_scalar_random(s.bytes);
  return s;
}

void multiply(const Point& scalar, const Point& point) {
  Point out;
  if (crypto_scalarmult_ed25519_noclamp(out.bytes, scalar.bytes, point.bytes) != 0) std::abort();
  benchmark::DoNotOptimize(out);
}

void multiply_base(const Point& scalar) {
  Point out;
  if (crypto_scalarmult_ed25519_base_noclamp(out.bytes, scalar.bytes) != 0) std::abort();
  benchmark::DoNotOptimize(out);
}

// By eight, in the only way libsodium has for points of any order.
void multiply_cofactor(const Point& point) {
  Point out = point;
  for (int i = 0; i < 3; ++i) {
    if (crypto_core_ed25519_add(out.bytes, out.bytes, out.bytes) != 0) std::abort();
  }
  benchmark::DoNotOptimize(out);
}

// Inputs differ from one iteration to the next: how many points are tried depends on them.
Bytes alpha_of(std::uint64_t number) {
  const Contribution both[] = {{0, Hash{}}, {1, Hash{}}};
  return make_alpha(Hash{}, Id{}, 0, number, both, std::nullopt);
}

void prove(benchmark::State& state) {
  const VrfKey key(Seed::random());
  std::uint64_t number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(key.prove(alpha_of(number++)));
}
BENCHMARK(prove);

void prove_multiplications(benchmark::State& state) {
  const Point x = random_scalar(), k = random_scalar(), h = random_point(), gamma = random_point();
  for (auto _ : state) {
    multiply_cofactor(h);
    multiply(x, h);
    multiply_base(k);
    multiply(k, h);
    multiply_cofactor(gamma);
  }
}
BENCHMARK(prove_multiplications);

void verify(benchmark::State& state) {
  constexpr std::size_t kProofs = 64;
  const VrfKey key(Seed::random());
  std::vector<VrfProof> proofs;
  for (std::size_t i = 0; i < kProofs; ++i) proofs.push_back(key.prove(alpha_of(i))->pi);
  std::size_t i = 0;
  for (auto _ : state) {
    if (!vrf_verify(key.public_key(), alpha_of(i), proofs[i]).ok()) std::abort();
    i = (i + 1) % kProofs;
  }
}
BENCHMARK(verify);

void verify_multiplications(benchmark::State& state) {
  const Point c = random_scalar(), s = random_scalar(), h = random_point();
  const Point y = random_point(), gamma = random_point();
  for (auto _ : state) {
    multiply_cofactor(h);
    multiply_base(s);
    multiply(c, y);
    multiply(s, h);
    multiply(c, gamma);
    multiply_cofactor(gamma);
  }
}
BENCHMARK(verify_multiplications);

// The same without those by the cofactor, to see what they cost.
void verify_multiplications_by_scalars_only(benchmark::State& state) {
  const Point c = random_scalar(), s = random_scalar(), h = random_point();
  for (auto _ : state) {
    multiply_base(s);
    multiply(c, h);
    multiply(s, h);
    multiply(c, h);
  }
}
BENCHMARK(verify_multiplications_by_scalars_only);

void check_signature(benchmark::State& state) {
  const PlayerKey key(Seed::random());
  const Hash digest{};
  const Signature made = key.sign(digest);
  for (auto _ : state) {
    benchmark::DoNotOptimize(verify_signature(key.public_key(), digest, made));
  }
}
BENCHMARK(check_signature);

void make_chain(benchmark::State& state) {
  const Seed seed = Seed::random();
  for (auto _ : state) {
    benchmark::DoNotOptimize(ContributionChain::make({}, seed, kChainLengthDefault));
  }
}
BENCHMARK(make_chain)->Unit(benchmark::kMillisecond);

void chain_element(benchmark::State& state) {
  const auto chain = *ContributionChain::make({}, Seed::random(), kChainLengthDefault);
  std::uint64_t number = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(chain.element(number));
    number = (number + 1) % kChainLengthDefault;
  }
}
BENCHMARK(chain_element);

void derive_40d6(benchmark::State& state) {
  const RollSpec spec{{{RollGroup::kDice, 40, 6, 0}}};
  VrfOutput beta;
  for (auto _ : state) {
    benchmark::DoNotOptimize(derive_outcome(beta, spec));
    ++beta.data[0];
  }
}
BENCHMARK(derive_40d6);

// All pre-declared statistics, with a look at the evidence after every die.
void statistics_of_100000_dice(benchmark::State& state) {
  statistics::SeededRandom random(1);
  std::vector<unsigned> faces(100'000);
  for (unsigned& face : faces) face = 1 + random.below(6);
  for (auto _ : state) {
    statistics::DiceWatch watch(6);
    for (unsigned face : faces) watch.add(face);
    benchmark::DoNotOptimize(watch.summary());
  }
}
BENCHMARK(statistics_of_100000_dice)->Unit(benchmark::kMillisecond);

// One player's dice of a turn: enumerated exactly.
void exact_fit_of_72_dice(benchmark::State& state) {
  const std::uint32_t counts[] = {10, 10, 10, 10, 10, 22};
  for (auto _ : state) {
    benchmark::DoNotOptimize(statistics::exact_fit(counts, statistics::FitStatistic::kChiSquared));
  }
}
BENCHMARK(exact_fit_of_72_dice)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wardiary

BENCHMARK_MAIN();
