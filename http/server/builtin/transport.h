// The bytes of one connection: a non-blocking socket, with TLS on it or not. Reads and writes never
// wait; they say what to wait for.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "domain/base/result.h"

struct ssl_ctx_st;
struct ssl_st;

namespace wardiary::http {

// Sockets with the concrete executor: the type-erased one costs instructions on every operation.
using Executor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;
using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor>;

// The certificate and its key, loaded once. Null pointer inside when there is no TLS.
class TlsContext {
 public:
  static Result<std::shared_ptr<TlsContext>> load(const std::string& certificate_file,
                                                  const std::string& key_file);
  ~TlsContext();
  ssl_ctx_st* get() const { return context_; }

 private:
  explicit TlsContext(ssl_ctx_st* context) : context_(context) {}
  ssl_ctx_st* context_;
};

class Transport {
 public:
  Transport(Socket socket, const TlsContext* tls);
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  enum class Io { kOk, kWantRead, kWantWrite, kEnd };  // kEnd: the peer has gone, or an error

  bool is_tls() const { return ssl_ != nullptr; }
  Io handshake();
  Io read(char* data, std::size_t size, std::size_t& done);
  // Writes from `first`, then `second`; `done` counts both.
  Io write(std::string_view first, std::string_view second, std::size_t& done);
  // TLS may hold bytes that the socket will not announce again.
  bool has_buffered() const;
  void finish_sending();
  Socket& socket() { return socket_; }

 private:
  Io tls_result(int result);
  Socket socket_;
  ssl_st* ssl_ = nullptr;
};

}  // namespace wardiary::http
