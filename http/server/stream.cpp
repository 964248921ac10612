#include "http/server/stream.h"

namespace wardiary::http {

// Callbacks are called without the lock: they may come straight back into the stream.

Stream::Sent Stream::send(SharedBytes chunk) {
  std::function<void()> notify;
  {
    std::lock_guard lock(mutex_);
    if (closed_) return Sent::kClosed;
    if (!chunk || chunk->empty()) return Sent::kOk;
    if (!chunks_.empty() && buffered_ + chunk->size() > buffer_bytes_) {
      refused_ = true;
      return Sent::kFull;
    }
    buffered_ += chunk->size();
    chunks_.push_back(std::move(chunk));
    if (notify_ && !notified_) {
      notified_ = true;
      notify = notify_;
    }
  }
  if (notify) notify();
  return Sent::kOk;
}

void Stream::close() {
  std::function<void()> notify;
  {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = true;
    notify = notify_;
  }
  if (notify) notify();
}

bool Stream::closed() const {
  std::lock_guard lock(mutex_);
  return closed_;
}

void Stream::on_ready(std::function<void()> wake) {
  std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

void Stream::attach(std::function<void()> notify) {
  std::function<void()> now;
  {
    std::lock_guard lock(mutex_);
    notify_ = std::move(notify);
    if (!chunks_.empty() || closed_) {
      notified_ = true;
      now = notify_;
    }
  }
  if (now) now();
}

bool Stream::take(std::vector<SharedBytes>& out, std::size_t bytes_max) {
  std::function<void()> wake;
  bool end = false;
  {
    std::lock_guard lock(mutex_);
    notified_ = false;
    std::size_t taken = 0;
    while (!chunks_.empty() && (taken == 0 || taken + chunks_.front()->size() <= bytes_max)) {
      taken += chunks_.front()->size();
      out.push_back(std::move(chunks_.front()));
      chunks_.pop_front();
    }
    buffered_ -= taken;
    end = closed_ && chunks_.empty();
    if (refused_ && buffered_ <= buffer_bytes_ / 2) {
      refused_ = false;
      wake = wake_;
    }
  }
  if (wake) wake();
  return end;
}

void Stream::abandon() {
  std::function<void()> wake;
  {
    std::lock_guard lock(mutex_);
    chunks_.clear();
    buffered_ = 0;
    notify_ = nullptr;
    closed_ = true;
    wake = std::exchange(wake_, nullptr);
  }
  if (wake) wake();
}

std::string sse_event(std::string_view id, std::string_view event, std::string_view data) {
  const auto one_line = [](std::string_view text) {
    return text.substr(0, text.find_first_of("\r\n"));
  };
  std::string out;
  out.reserve(id.size() + event.size() + data.size() + 32);
  if (!id.empty()) out.append("id: ").append(one_line(id)).append("\n");
  if (!event.empty()) out.append("event: ").append(one_line(event)).append("\n");
  for (bool more = true; more;) {
    const std::size_t end = data.find_first_of("\r\n");
    out.append("data: ").append(data.substr(0, end)).append("\n");
    more = end != std::string_view::npos;
    if (more) data.remove_prefix(end + (data.substr(end, 2) == "\r\n" ? 2 : 1));
  }
  out.append("\n");
  return out;
}

}  // namespace wardiary::http
