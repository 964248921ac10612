#include "eventstore/merkle.h"

#include <gtest/gtest.h>

namespace wardiary::merkle {
namespace {

// The leaves and roots that the reference implementation of Certificate Transparency publishes.
const std::vector<std::string> kReferenceLeaves = {"",
                                                   "00",
                                                   "10",
                                                   "2021",
                                                   "3031",
                                                   "40414243",
                                                   "5051525354555657",
                                                   "606162636465666768696a6b6c6d6e6f"};
const std::vector<std::string> kReferenceRoots = {
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"};

std::vector<Hash> some_leaves(std::uint64_t n) {
  std::vector<Hash> out;
  for (std::uint64_t i = 0; i < n; ++i) out.push_back(leaf_hash(bytes_of(std::to_string(i))));
  return out;
}

// The definition of RFC 6962 section 2.1, word for word.
Hash root_by_definition(std::span<const Hash> leaves) {
  if (leaves.empty()) return empty_root();
  if (leaves.size() == 1) return leaves[0];
  const std::uint64_t k = split_point(leaves.size());
  return node_hash(root_by_definition(leaves.first(k)), root_by_definition(leaves.subspan(k)));
}

constexpr std::uint64_t kSizes = 130;

TEST(Merkle, ReproducesThePublishedRoots) {
  std::vector<Hash> leaves;
  for (std::size_t i = 0; i < kReferenceLeaves.size(); ++i) {
    leaves.push_back(leaf_hash(*from_hex(kReferenceLeaves[i])));
    EXPECT_EQ(to_hex(root_of(leaves)), kReferenceRoots[i]);
  }
  EXPECT_EQ(to_hex(empty_root()),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Merkle, RootsAreThoseOfTheDefinition) {
  const auto leaves = some_leaves(kSizes);
  Frontier frontier;
  for (std::uint64_t n = 1; n <= kSizes; ++n) {
    frontier.append(leaves[n - 1]);
    EXPECT_EQ(frontier.root(), root_by_definition(std::span(leaves).first(n)));
    const auto again = Frontier::from(frontier.size(), frontier.hashes());
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->root(), frontier.root());
  }
  EXPECT_FALSE(Frontier::from(3, {leaves[0]}).has_value());
}

TEST(Merkle, AnAppendTellsEverySubtreeItCompletes) {
  const auto leaves = some_leaves(kSizes);
  std::size_t told = 0;
  Frontier frontier;
  for (const Hash& leaf : leaves) {
    frontier.append(leaf, [&](unsigned height, std::uint64_t index, const Hash& hash) {
      const std::uint64_t width = std::uint64_t{1} << height;
      EXPECT_EQ(hash, root_by_definition(std::span(leaves).subspan(index * width, width)));
      ++told;
    });
  }
  EXPECT_EQ(told, 65u + 32 + 16 + 8 + 4 + 2 + 1);
}

TEST(Merkle, EveryInclusionProofVerifiesAndNoAlteredOneDoes) {
  const auto leaves = some_leaves(kSizes);
  for (std::uint64_t n = 1; n <= kSizes; ++n) {
    const auto tree = std::span(leaves).first(n);
    const Hash root = root_of(tree);
    for (std::uint64_t i = 0; i < n; ++i) {
      auto proof = inclusion_proof(tree, i);
      ASSERT_TRUE(verify_inclusion(leaves[i], i, n, proof, root));
      ASSERT_FALSE(verify_inclusion(leaves[(i + 1) % kSizes], i, n, proof, root));
      ASSERT_FALSE(verify_inclusion(leaves[i], i, n, proof, leaves[0]) && n > 1);
      ASSERT_FALSE(verify_inclusion(leaves[i], n, n, proof, root));
      ASSERT_FALSE(n > 1 && verify_inclusion(leaves[i], (i + 1) % n, n, proof, root));
      for (Hash& hash : proof) {
        hash.data[i % 32] ^= 1;
        ASSERT_FALSE(verify_inclusion(leaves[i], i, n, proof, root));
        hash.data[i % 32] ^= 1;
      }
      proof.push_back(root);
      ASSERT_FALSE(verify_inclusion(leaves[i], i, n, proof, root));
      proof.pop_back();
      if (proof.empty()) continue;
      proof.pop_back();
      ASSERT_FALSE(verify_inclusion(leaves[i], i, n, proof, root));
    }
  }
}

TEST(Merkle, EveryConsistencyProofVerifiesAndNoAlteredOneDoes) {
  const auto leaves = some_leaves(kSizes);
  std::vector<Hash> roots{empty_root()};
  for (std::uint64_t n = 1; n <= kSizes; ++n) roots.push_back(root_of(std::span(leaves).first(n)));
  for (std::uint64_t to = 1; to <= kSizes; ++to) {
    const auto tree = std::span(leaves).first(to);
    for (std::uint64_t from = 1; from <= to; ++from) {
      auto proof = consistency_proof(tree, from);
      ASSERT_TRUE(verify_consistency(from, roots[from], to, roots[to], proof));
      ASSERT_FALSE(verify_consistency(from, roots[from - 1], to, roots[to], proof));
      ASSERT_FALSE(verify_consistency(from, roots[from], to, roots[to - 1], proof));
      ASSERT_FALSE(verify_consistency(0, roots[0], to, roots[to], proof));
      for (Hash& hash : proof) {
        hash.data[from % 32] ^= 1;
        ASSERT_FALSE(verify_consistency(from, roots[from], to, roots[to], proof));
        hash.data[from % 32] ^= 1;
      }
      proof.push_back(roots[to]);
      ASSERT_FALSE(verify_consistency(from, roots[from], to, roots[to], proof));
      proof.pop_back();
      if (proof.empty()) continue;
      proof.pop_back();
      ASSERT_FALSE(verify_consistency(from, roots[from], to, roots[to], proof));
    }
  }
}

}  // namespace
}  // namespace wardiary::merkle
