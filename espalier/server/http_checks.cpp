#include "espalier/server/http_checks.h"

#include <arpa/inet.h>

#include <algorithm>
#include <random>

namespace espalier {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equalIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::optional<std::string> percentDecoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hexDigit(text[i + 1]), low = hexDigit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return result;
}

/// The host and port of an Origin, scheme://host:port; empty where it has none ("null").
std::string_view authority(std::string_view origin) {
  const std::size_t scheme = origin.find("://");
  return scheme == std::string_view::npos ? std::string_view() : origin.substr(scheme + 3);
}

}  // namespace

bool isLoopback(std::string_view host) {
  if (equalIgnoringCase(host, "localhost")) return true;
  const std::string text(host);
  in_addr v4;
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6;
  return inet_pton(AF_INET6, text.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

std::string_view hostName(std::string_view header) {
  if (header.starts_with('['))
    return header.substr(1, std::min(header.find(']'), header.size()) - 1);
  return header.substr(0, header.rfind(':'));
}

std::optional<std::string> queryValue(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view field = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(field.size() + 1, query.size()));
    const std::size_t sign = field.find('=');
    if (sign != std::string_view::npos && field.substr(0, sign) == name)
      return percentDecoded(field.substr(sign + 1));
  }
  return std::nullopt;
}

bool equalInConstantTime(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

std::string randomToken() {
  std::random_device device;  // the system's own generator
  std::string token;
  for (int i = 0; i < 16; ++i) {
    const unsigned byte = device() & 0xff;
    token += "0123456789abcdef"[byte >> 4];
    token += "0123456789abcdef"[byte & 15];
  }
  return token;
}

std::optional<std::string> refusal(const RequestOrigin& request, bool isLocal,
                                   std::string_view token) {
  if (request.host.empty()) return "a request needs a Host";
  if (isLocal && !isLoopback(hostName(request.host)))
    return "this server answers to localhost only: open it as http://localhost, or bind it to an "
           "address by --host";
  if (!request.origin.empty() && !equalIgnoringCase(authority(request.origin), request.host))
    return "a page of another site may not talk to this server";
  if (!token.empty() &&
      !equalInConstantTime(queryValue(request.query, "token").value_or(""), token))
    return "the token is missing or wrong: open the whole URL that the server has printed";
  return std::nullopt;
}

}  // namespace espalier
