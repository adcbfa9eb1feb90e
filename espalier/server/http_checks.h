#pragma once

// Checks of the origin of requests. A page of another site that is open in the same browser can
// send requests to a server on this machine: it is told by its Origin, or, where it has pointed a
// name of its own at 127.0.0.1 (DNS rebinding), by the Host.

#include <optional>
#include <string>
#include <string_view>

namespace espalier {

/// Whether a server bound to this host is reached from this machine alone: localhost, 127.x.x.x, ::1.
bool isLoopback(std::string_view host);

/// The host of a Host header, without its port and the brackets of an IPv6 address.
std::string_view hostName(std::string_view header);

/// The decoded value of a field of a query, a=1&b=2; none where it is not there or badly encoded.
std::optional<std::string> queryValue(std::string_view query, std::string_view name);

/// Whether two texts are equal, in a time that does not depend on where they differ.
bool equalInConstantTime(std::string_view a, std::string_view b);

/// 128 random bits as hexadecimal digits.
std::string randomToken();

struct RequestOrigin {
  std::string_view host;    ///< header Host; empty: not sent
  std::string_view origin;  ///< header Origin; empty: not sent
  std::string_view query;   ///< behind '?'
};

/// Why a request is refused: a sentence for its sender; none where it is not.
///   in  isLocal  the server is bound to loopback
///   in  token    that every request must have; empty: none
std::optional<std::string> refusal(const RequestOrigin& request, bool isLocal,
                                   std::string_view token);

}  // namespace espalier
