#include "http/server/builtin/transport.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace wardiary::http {

Result<std::shared_ptr<TlsContext>> TlsContext::load(const std::string& certificate_file,
                                                     const std::string& key_file) {
  ERR_clear_error();
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  if (!context) return Error{ErrorCode::kIo, "TLS is not available"};
  std::shared_ptr<TlsContext> owned(new TlsContext(context));
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_options(
      context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  if (SSL_CTX_use_certificate_chain_file(context, certificate_file.c_str()) != 1) {
    return invalid("cannot use the TLS certificate file " + certificate_file);
  }
  if (SSL_CTX_use_PrivateKey_file(context, key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context) != 1) {
    return invalid("cannot use the TLS key file " + key_file);
  }
  return owned;
}

TlsContext::~TlsContext() {
  SSL_CTX_free(context_);
}

Transport::Transport(Socket socket, const TlsContext* tls) : socket_(std::move(socket)) {
  boost::system::error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  if (!tls) return;
  ssl_ = SSL_new(tls->get());
  SSL_set_fd(ssl_, static_cast<int>(socket_.native_handle()));
  SSL_set_accept_state(ssl_);
}

Transport::~Transport() {
  if (ssl_) SSL_free(ssl_);
}

Transport::Io Transport::tls_result(int result) {
  switch (SSL_get_error(ssl_, result)) {
    case SSL_ERROR_WANT_READ:
      return Io::kWantRead;
    case SSL_ERROR_WANT_WRITE:
      return Io::kWantWrite;
    default:
      return Io::kEnd;
  }
}

Transport::Io Transport::handshake() {
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_);
  return result == 1 ? Io::kOk : tls_result(result);
}

Transport::Io Transport::read(char* data, std::size_t size, std::size_t& done) {
  done = 0;
  if (ssl_) {
    ERR_clear_error();
    const int result = SSL_read(ssl_, data, static_cast<int>(std::min<std::size_t>(size, INT_MAX)));
    if (result <= 0) return tls_result(result);
    done = static_cast<std::size_t>(result);
    return Io::kOk;
  }
  for (;;) {
    const ssize_t result = ::recv(socket_.native_handle(), data, size, 0);
    if (result > 0) {
      done = static_cast<std::size_t>(result);
      return Io::kOk;
    }
    if (result == 0) return Io::kEnd;
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EWOULDBLOCK ? Io::kWantRead : Io::kEnd;
  }
}

Transport::Io Transport::write(std::string_view first, std::string_view second, std::size_t& done) {
  done = 0;
  if (ssl_) {
    const std::string_view bytes = first.empty() ? second : first;
    ERR_clear_error();
    const int result = SSL_write(ssl_, bytes.data(),
                                 static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX)));
    if (result <= 0) return tls_result(result);
    done = static_cast<std::size_t>(result);
    return Io::kOk;
  }
  for (;;) {
    ssize_t result = 0;
    if (second.empty()) {
      result = ::send(socket_.native_handle(), first.data(), first.size(), MSG_NOSIGNAL);
    } else {
      iovec parts[2] = {{const_cast<char*>(first.data()), first.size()},
                        {const_cast<char*>(second.data()), second.size()}};
      msghdr message{};
      message.msg_iov = parts;
      message.msg_iovlen = 2;
      result = ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL);
    }
    if (result >= 0) {
      done = static_cast<std::size_t>(result);
      return Io::kOk;
    }
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EWOULDBLOCK ? Io::kWantWrite : Io::kEnd;
  }
}

bool Transport::has_buffered() const {
  return ssl_ && SSL_has_pending(ssl_) && SSL_pending(ssl_) > 0;
}

void Transport::finish_sending() {
  boost::system::error_code ignored;
  if (ssl_ && SSL_is_init_finished(ssl_)) {
    ERR_clear_error();
    SSL_shutdown(ssl_);
  }
  socket_.shutdown(Socket::shutdown_send, ignored);
}

}  // namespace wardiary::http
