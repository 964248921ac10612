// One client connection: reads requests, has them answered, writes the answers, in order and one at
// a time. Nothing is read while a request is being answered, so a client that pipelines is slowed
// down instead of buffered.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/server/builtin/loop.h"
#include "http/server/builtin/request_parser.h"
#include "http/server/builtin/transport.h"

namespace wardiary::http {

class Connection final : public Reply::Target, public std::enable_shared_from_this<Connection> {
 public:
  Connection(Loop& loop, std::shared_ptr<Core> core, Socket socket);
  ~Connection() override;

  void start();
  // From any thread: the answer to the request being handled.
  void answer(Response response) override;

  // From here on: on the loop's thread only.
  void receive(std::optional<Response> answer);
  void sweep(std::chrono::steady_clock::time_point now);
  void drain();
  void close();

  std::size_t index = 0;  // the loop's: its place in the list

 private:
  using Time = std::chrono::steady_clock::time_point;
  enum class State : std::uint8_t {
    kHandshake,
    kIdle,       // between requests, nothing read of the next
    kHeader,     // some of a header read
    kBody,       // the header is complete, the body is not
    kHandling,   // waiting for the answer
    kStreaming,  // sending a live answer
    kLingering,  // all is said; waiting for the client to close, so that it can read what we said
    kClosed,
  };

  // The driver: does whatever can be done now, then waits for the one thing that is missing.
  void pump();
  bool flush();
  void wait_readable();
  void wait_writable();
  void on_readable();
  bool step_handshake();

  std::size_t parse(std::string_view data);
  void begin_request();
  bool on_head();
  void dispatch();
  void refuse(int status, const char* code, const char* title);

  void respond(Response response);
  bool compress_elsewhere(Response& response);
  void send(Response& response);
  void start_stream(Response& response);
  bool fill_from_stream();
  void end_stream();
  void finish_request();
  void linger();
  void record(const Response& response, std::size_t body_bytes) const;

  bool is_late(Time now) const;
  bool reading() const;
  const Limits& limits() const { return core_->options.limits; }

  Loop* const loop_;  // gone when the server is: only its own thread may use it
  const std::shared_ptr<Core> core_;
  const std::shared_ptr<Mailbox> mailbox_;
  std::unique_ptr<Transport> transport_;
  RequestParser parser_;
  Request request_;
  const Route* route_ = nullptr;
  std::string address_;
  std::string in_;           // read but not used yet
  std::string out_;          // to be written: heads and small bodies
  SharedBytes tail_;         // to be written after it: one large body
  std::size_t written_ = 0;  // of out_ and tail_
  std::shared_ptr<Stream> stream_;
  std::optional<Response> early_answer_;
  Time since_;                      // when the present state began
  Time write_since_;                // when the present writing began
  Time request_since_;              // when the present request was complete
  std::size_t written_before_ = 0;  // when it began
  std::size_t lingered_ = 0;        // bytes thrown away
  std::size_t requests_ = 0;
  State state_ = State::kIdle;
  bool starved_ = true;      // the parser needs more than there is in in_
  bool closing_ = false;     // after what is in out_
  bool input_left_ = false;  // of a request that was not read to its end
  bool running_ = false;     // inside a handler that may answer at once
  bool writing_ = false;     // the socket did not take all of out_
  bool wait_read_ = false;   // a wait is under way
  bool wait_write_ = false;
  bool stream_chunked_ = false;
  bool gzip_tried_ = false;  // for the present answer
};

}  // namespace wardiary::http
