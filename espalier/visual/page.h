#pragma once

// The viewer's page, which is part of the library: one HTML file that needs nothing from elsewhere.
// Without -DESPALIER_VIEWER=ON it is empty.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace espalier {

/// The page as it was built, compressed by gzip; empty where the library was built without it.
std::span<const std::byte> pageGzip();

/// The page as it was built; empty likewise.
std::string pageHtml();

/// The page with its configuration and, for mode "file", with the recording in it
/// (docs/viewer_protocol.md, "Over HTTP").
///   in      config     JSON
///   in      recording  the bytes of an .esp file; may be empty
///   errors  throws std::runtime_error where the library was built without the page
std::string filledPage(std::string_view config, std::span<const std::byte> recording = {});

/// A page with its two places filled, as filledPage does with its own.
///   errors  throws std::runtime_error where a place is missing
std::string fillPage(std::string page, std::string_view config,
                     std::span<const std::byte> recording);

}  // namespace espalier
