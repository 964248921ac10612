// A live answer: bytes produced over time and sent as they come, as server-sent events need it.
//
// The producer and the server share the Stream. Its buffer is bounded: `send` refuses what does not
// fit, and the producer is woken (`on_ready`) when there is room again or the reader has gone. So a
// producer that can read its events again later simply continues from where it was refused, and no
// slow reader costs more memory than one buffer. A reader that stops taking bytes for longer than
// the server's write deadline is cut; `closed` then turns true.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "http/server/http.h"

namespace wardiary::http {

class Stream {
 public:
  static constexpr std::size_t kBufferBytes = 256u * 1024;

  explicit Stream(std::size_t buffer_bytes = kBufferBytes) : buffer_bytes_(buffer_bytes) {}

  enum class Sent { kOk, kFull, kClosed };

  // For producers; all of these may be called from any thread.
  //
  // Takes the chunk, or says why not. A chunk larger than the whole buffer is taken when the buffer
  // is empty. The shared form costs no copy: one event for a thousand readers is one string.
  Sent send(SharedBytes chunk);
  Sent send(std::string_view bytes) { return send(share(std::string(bytes))); }
  // No more will come. What is buffered is sent first.
  void close();
  // Closed by either side, or cut.
  bool closed() const;
  // `wake` is called (on a server thread: only hand over work there) each time a refused producer
  // may send again, and once when the stream is closed from outside. Set it before the first
  // `send`.
  void on_ready(std::function<void()> wake);

  // For servers. `attach` names whom to tell that there is something to take; it is called at once
  // when there already is. `take` moves at most about `bytes_max` bytes (at least one chunk, if
  // there is one) to `out` and says whether the end has been reached. `abandon` means that nobody
  // will take anything any more.
  void attach(std::function<void()> notify);
  bool take(std::vector<SharedBytes>& out, std::size_t bytes_max);
  void abandon();

 private:
  mutable std::mutex mutex_;
  std::deque<SharedBytes> chunks_;
  std::size_t buffered_ = 0;
  const std::size_t buffer_bytes_;
  bool refused_ = false;   // a producer waits for room
  bool notified_ = false;  // the server knows there is something and has not come yet
  bool closed_ = false;
  std::function<void()> wake_;
  std::function<void()> notify_;
};

// One server-sent event in its wire form. Line breaks in `data` become several data lines; `id` and
// `event` must not contain any (they are cut there).
std::string sse_event(std::string_view id, std::string_view event, std::string_view data);

}  // namespace wardiary::http
