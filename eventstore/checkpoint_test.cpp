#include "eventstore/checkpoint.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "eventstore/checkpoint_file.h"
#include "eventstore/data_dir.h"
#include "eventstore/merkle.h"
#include "eventstore/store_conformance.h"

namespace wardiary::testing {
namespace {

SigningKey key_of(std::uint8_t fill) {
  FixedBytes<32> seed;
  seed.data.fill(fill);
  return SigningKey::from_seed(seed);
}

const Id kGame = game_id(1);
const Checkpoint kTree{log_origin(kGame), 1234, merkle::leaf_hash(bytes_of("root"))};
const VerifierKey kVerifier{log_origin(kGame), key_of(1).public_key()};

TEST(VerifierKey, ReadsTheKeysOfPublicLogs) {
  for (const char* text :
       {"PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"}) {
    const auto key = VerifierKey::parse(text);
    ASSERT_TRUE(key.ok()) << key.error().text;
    EXPECT_EQ(key->text(), text);
  }
}

TEST(VerifierKey, RefusesWhatIsNotOne) {
  for (const char* text : {"", "name", "name+00000000", "+c74f20a3+AR==", "a+zz+b",
                           "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
                           "Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"}) {
    EXPECT_FALSE(VerifierKey::parse(text).ok()) << text;
  }
}

TEST(Checkpoint, IsThreeLinesAndASignature) {
  const std::string note = sign_checkpoint(kTree, key_of(1));
  EXPECT_EQ(note.substr(0, note.find("\n\n") + 1),
            kTree.origin + "\n1234\n" + to_base64(kTree.root) + "\n");
  EXPECT_NE(note.find("\n\n\xe2\x80\x94 " + kTree.origin + " "), std::string::npos);
  const auto verified = verify_checkpoint(note, kVerifier);
  ASSERT_TRUE(verified.ok()) << verified.error().text;
  EXPECT_EQ(*verified, kTree);
  EXPECT_EQ(parse_checkpoint(note).value(), kTree);
}

TEST(Checkpoint, IsBelievedOnlyWithItsOwnKeysSignature) {
  const std::string note = sign_checkpoint(kTree, key_of(1));
  EXPECT_FALSE(verify_checkpoint(note, {kVerifier.name, key_of(2).public_key()}).ok());
  EXPECT_FALSE(verify_checkpoint(note, {log_origin(game_id(2)), kVerifier.key}).ok());
  EXPECT_FALSE(verify_checkpoint(kTree.text() + "\n", kVerifier).ok());
  std::string other = kTree.text();
  const std::string signature = note.substr(note.find("\n\n"));
  EXPECT_FALSE(verify_checkpoint(other + "extension" + signature, kVerifier).ok());
}

TEST(Checkpoint, NoAlteredByteIsBelieved) {
  const std::string note = sign_checkpoint(kTree, key_of(1));
  for (std::size_t i = 0; i < note.size(); ++i) {
    for (const char flip : {1, 2, 64}) {
      std::string altered = note;
      altered[i] = static_cast<char>(altered[i] ^ flip);
      EXPECT_FALSE(verify_checkpoint(altered, kVerifier).ok()) << i;
    }
    EXPECT_FALSE(verify_checkpoint(note.substr(0, i), kVerifier).ok()) << i;
  }
}

TEST(Checkpoint, PassesOverTheSignaturesOfWitnesses) {
  std::string note = sign_checkpoint(kTree, key_of(1));
  const std::size_t signatures = note.find("\n\n") + 2;
  note.insert(signatures, "\xe2\x80\x94 witness.example AAAAAAAAAAAA\n");
  EXPECT_TRUE(verify_checkpoint(note, kVerifier).ok());
}

class ReceiptTest : public ::testing::Test {
 protected:
  ReceiptTest() {
    for (int i = 0; i < 11; ++i)
      leaves_.push_back(merkle::leaf_hash(bytes_of("leaf" + std::to_string(i))));
    receipt_.index = 6;
    receipt_.path = merkle::inclusion_proof(leaves_, 6);
    receipt_.checkpoint =
        sign_checkpoint({log_origin(kGame), 11, merkle::root_of(leaves_)}, key_of(1));
  }
  std::vector<Hash> leaves_;
  Receipt receipt_;
};

TEST_F(ReceiptTest, VerifiesOfflineAfterBeingText) {
  for (const Bytes& extra : {Bytes{}, Bytes{1, 2, 3}}) {
    receipt_.extra = extra;
    const auto again = Receipt::parse(receipt_.text());
    ASSERT_TRUE(again.ok()) << again.error().text;
    EXPECT_EQ(again->extra, extra);
    EXPECT_EQ(again->text(), receipt_.text());
    const auto tree = again->verify(bytes_of("leaf6"), kVerifier);
    ASSERT_TRUE(tree.ok()) << tree.error().text;
    EXPECT_EQ(tree->size, 11u);
    EXPECT_FALSE(again->verify(bytes_of("leaf7"), kVerifier).ok());
  }
}

TEST_F(ReceiptTest, NoAlteredByteIsBelieved) {
  const std::string text = receipt_.text();
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string altered = text;
    altered[i] = static_cast<char>(altered[i] ^ 1);
    const auto parsed = Receipt::parse(altered);
    EXPECT_FALSE(parsed.ok() && parsed->verify(bytes_of("leaf6"), kVerifier).ok()) << i;
    const auto cut = Receipt::parse(text.substr(0, i));
    EXPECT_FALSE(cut.ok() && cut->verify(bytes_of("leaf6"), kVerifier).ok()) << i;
  }
}

class CheckpointFileTest : public ::testing::Test {
 protected:
  std::unique_ptr<CheckpointFile> open() {
    auto opened = CheckpointFile::open(file_);
    EXPECT_TRUE(opened.ok()) << opened.error().text;
    return std::move(*opened);
  }
  static SignedTree tree(std::uint64_t size) {
    return {size, merkle::leaf_hash(bytes_of(std::to_string(size)))};
  }
  TempDir dir_;
  const std::string file_ = dir_ / "checkpoints.log";
};

TEST_F(CheckpointFileTest, RemembersTheNewestOfEachGame) {
  ASSERT_TRUE(CheckpointFile::create(file_).ok());
  {
    const auto file = open();
    ASSERT_TRUE(file->remember(game_id(1), tree(5)).ok());
    ASSERT_TRUE(file->remember(game_id(2), tree(9)).ok());
    ASSERT_TRUE(file->remember(game_id(1), tree(7)).ok());
    ASSERT_TRUE(file->remember(game_id(1), tree(6)).ok());  // older: nothing to do
  }
  const auto file = open();
  EXPECT_EQ(file->newest(game_id(1)), tree(7));
  EXPECT_EQ(file->newest(game_id(2)), tree(9));
  EXPECT_FALSE(file->newest(game_id(3)).has_value());
}

TEST_F(CheckpointFileTest, DropsALineThatWasCutOffButNoOther) {
  ASSERT_TRUE(CheckpointFile::create(file_).ok());
  ASSERT_TRUE(open()->remember(game_id(1), tree(5)).ok());
  ASSERT_TRUE(open()->remember(game_id(1), tree(7)).ok());
  std::string text = *read_file(file_);
  const std::size_t last = text.find('\n') + 1;
  for (std::size_t cut = last; cut < text.size(); ++cut) {
    std::ofstream(file_) << text.substr(0, cut);
    EXPECT_EQ(open()->newest(game_id(1)), tree(5));
  }
  for (std::size_t i = 0; i < last - 1; ++i) {
    std::string altered = text;
    altered[i] = static_cast<char>(altered[i] ^ 1);
    std::ofstream(file_) << altered;
    EXPECT_EQ(code_of(CheckpointFile::open(file_)), ErrorCode::kCorrupt) << i;
  }
}

TEST_F(CheckpointFileTest, KeepsAcceptedRollbacksForGood) {
  ASSERT_TRUE(CheckpointFile::create(file_).ok());
  {
    const auto file = open();
    ASSERT_TRUE(file->remember(game_id(1), tree(9)).ok());
    ASSERT_TRUE(file->accept_rollback(game_id(1), tree(4), 1'700'000'000'000).ok());
    ASSERT_TRUE(file->remember(game_id(1), tree(6)).ok());
  }
  std::ofstream(file_, std::ios::app) << "torn";  // makes the next opening rewrite the file
  EXPECT_EQ(open()->newest(game_id(1)), tree(6));
  EXPECT_EQ(open()->rollback_count(), 1u);
}

TEST(DataDir, ReplacesFilesWhole) {
  TempDir dir;
  const std::string file = dir / "f";
  ASSERT_TRUE(write_file(file, "one").ok());
  std::ofstream(file + ".new") << "left over from a crash";
  ASSERT_TRUE(write_file(file, "two", 0600).ok());
  EXPECT_EQ(read_file(file).value(), "two");
  EXPECT_FALSE(std::filesystem::exists(file + ".new"));
  struct ::stat info {};
  ASSERT_EQ(::stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST(DataDir, RefusesAKeyFileThatHoldsNoKey) {
  TempDir dir;
  ASSERT_TRUE(write_file(dir / "k", "not a key\n", 0600).ok());
  EXPECT_EQ(code_of(read_key(dir / "k")), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(read_key(dir / "none")), ErrorCode::kNotFound);
  ASSERT_TRUE(create_key(dir / "fresh").ok());
  EXPECT_EQ(code_of(create_key(dir / "fresh")), ErrorCode::kConflict);
}

}  // namespace
}  // namespace wardiary::testing
