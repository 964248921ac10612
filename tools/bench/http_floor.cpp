// The limit for bench_http.py: one epoll loop that answers every readable event with the same bytes
// and understands nothing. It exists to be compared with, not to serve.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <string>

int main() {
  const std::string body = "{\"pad\":\"" + std::string(590, 'a') + "\"}";
  const std::string answer =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body;
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0) return 1;
  if (listen(listener, 4096) != 0) return 1;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::printf("%u\n", ntohs(address.sin_port));
  std::fflush(stdout);
  const int loop = epoll_create1(0);
  epoll_event event{EPOLLIN, {.fd = listener}};
  epoll_ctl(loop, EPOLL_CTL_ADD, listener, &event);
  epoll_event ready[256];
  char request[65536];
  for (;;) {
    const int count = epoll_wait(loop, ready, 256, -1);
    for (int i = 0; i < count; ++i) {
      const int fd = ready[i].data.fd;
      if (fd == listener) {
        const int client = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
        if (client < 0) continue;
        const int on = 1;
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        event = {EPOLLIN, {.fd = client}};
        epoll_ctl(loop, EPOLL_CTL_ADD, client, &event);
      } else if (recv(fd, request, sizeof(request), 0) <= 0 ||
                 send(fd, answer.data(), answer.size(), MSG_NOSIGNAL) <= 0) {
        close(fd);
      }
    }
  }
}
