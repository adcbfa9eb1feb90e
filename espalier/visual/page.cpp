#include "espalier/visual/page.h"

#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "espalier/visual/deflate.h"

namespace espalier {

#ifdef ESPALIER_HAS_PAGE
extern const unsigned char page_gzip[];  // made by cmake/embed_page.mjs
extern const std::size_t page_gzip_size;
#endif

namespace {

std::string base64(std::span<const std::byte> bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) {
      return k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[k]) : 0;
    };
    const std::uint32_t three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    for (int k = 0; k < 4; ++k) text += digits[three >> (18 - 6 * k) & 63];
  }
  for (std::size_t k = bytes.size() % 3; k % 3 != 0; ++k) text[text.size() - 3 + k] = '=';
  return text;
}

/// JSON that may stand in a <script>: "</script>" in a string would end it.
std::string withoutTags(std::string_view json) {
  std::string text;
  for (const char c : json) text += c == '<' ? "\\u003c" : std::string(1, c);
  return text;
}

/// Replaces the text of the <script> with this id.
void fill(std::string& page, const std::string& id, const std::string& text) {
  const std::size_t name = page.find("id=\"" + id + "\"");
  const std::size_t begin = name == std::string::npos ? name : page.find('>', name);
  const std::size_t end = begin == std::string::npos ? begin : page.find("</script>", begin);
  if (end == std::string::npos)
    throw std::runtime_error("the viewer's page has no <script id=\"" + id + "\">");
  page.replace(begin + 1, end - begin - 1, text);
}

}  // namespace

std::span<const std::byte> pageGzip() {
#ifdef ESPALIER_HAS_PAGE
  return {reinterpret_cast<const std::byte*>(page_gzip), page_gzip_size};
#else
  return {};
#endif
}

std::string pageHtml() {
  const std::span<const std::byte> stored = pageGzip();
  if (stored.empty()) return {};
  std::uint32_t length = 0;  // gzip's last four bytes
  std::memcpy(&length, stored.data() + stored.size() - sizeof(length), sizeof(length));
  const auto bytes = inflateBytes(stored, length, DeflateFormat::Gzip);
  if (!bytes) throw std::runtime_error("the viewer's page in this library is damaged");
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

std::string fillPage(std::string page, std::string_view config,
                     std::span<const std::byte> recording) {
  fill(page, "espalier-config", withoutTags(config));
  fill(page, "espalier-recording", base64(recording));
  return page;
}

std::string filledPage(std::string_view config, std::span<const std::byte> recording) {
  if (pageGzip().empty())
    throw std::runtime_error(
        "this library was built without the viewer's page; "
        "configure it with -DESPALIER_VIEWER=ON, which needs node 18 and npm");
  return fillPage(pageHtml(), config, recording);
}

}  // namespace espalier
