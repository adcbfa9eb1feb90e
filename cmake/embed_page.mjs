// node embed_page.mjs PAGE.html DATA.cpp: writes the page, compressed by gzip, as an array of bytes that
// espalier/visual/page.cpp reads.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [page, data] = process.argv.slice(2);
const bytes = gzipSync(readFileSync(page), { level: 9 });
const lines = [];
for (let i = 0; i < bytes.length; i += 32) lines.push([...bytes.subarray(i, i + 32)].join(","));
writeFileSync(
  data,
  `// Made from web/ by cmake/embed_page.mjs.
#include <cstddef>
namespace espalier {
extern const unsigned char page_gzip[];
extern const std::size_t page_gzip_size;
const std::size_t page_gzip_size = ${bytes.length};
const unsigned char page_gzip[] = {
${lines.join(",\n")}};
}  // namespace espalier
`,
);
