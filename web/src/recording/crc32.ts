// CRC-32 as in zlib: polynomial 0xEDB88320, reflected, initial value and final xor 0xFFFFFFFF.

const table = new Uint32Array(256).map((_, place) => {
  let value = place;
  for (let bit = 0; bit < 8; ++bit) {
    value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return value;
});

/** Of several pieces as if they were one. */
export function crc32(...pieces: Uint8Array[]): number {
  let value = 0xffffffff;
  for (const piece of pieces) {
    for (const byte of piece) value = table[(value ^ byte) & 255]! ^ (value >>> 8);
  }
  return (value ^ 0xffffffff) >>> 0;
}
