#include "espalier/io/mesh/mesh_formats.h"

#include <memory>

#include "espalier/io/text/text_file.h"

// This file is the one place where stb_image's code is compiled; nothing else sees it.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb_image.h>

namespace espalier::io {
namespace {

template <class Pixel>
std::vector<std::uint16_t> unpacked(Pixel* pixels, std::size_t count) {
  const std::unique_ptr<Pixel, decltype(&stbi_image_free)> owner(pixels, stbi_image_free);
  if (!owner) return {};
  return {pixels, pixels + count};
}

}  // namespace

Expected<GreyImage> readPng(const std::string& path, std::size_t mostPixels) {
  const Expected<std::string> bytes = readTextFile(path);
  if (!bytes) return bytes.diagnostics();
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes->data());
  const int size = static_cast<int>(bytes->size());
  GreyImage image;
  int channels = 0;
  if (stbi_info_from_memory(data, size, &image.width, &image.height, &channels) == 0)
    return problem(path, "this is no PNG picture", "write it again as PNG");
  const std::size_t count =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  if (count > mostPixels) {
    return problem(path, "the picture has " + std::to_string(count) + " pixels, too many",
                   "make it smaller; " + std::to_string(mostPixels) + " are read");
  }
  int w = 0, h = 0;
  image.grey = stbi_is_16_bit_from_memory(data, size) != 0
                   ? unpacked(stbi_load_16_from_memory(data, size, &w, &h, &channels, 1), count)
                   : unpacked(stbi_load_from_memory(data, size, &w, &h, &channels, 1), count);
  if (image.grey.empty())
    return problem(path, "the PNG picture cannot be unpacked", "write it again as PNG");
  return image;
}

}  // namespace espalier::io
