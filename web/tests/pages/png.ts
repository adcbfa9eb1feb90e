// Reads a PNG as Chromium writes it: 8 bits, RGB or RGBA, not interlaced.

import { inflateSync } from "node:zlib";

export interface Picture {
  width: number;
  height: number;
  /** [r, g, b] at CSS pixel (x, y). */
  at: (x: number, y: number) => [number, number, number];
}

export function readPng(file: Buffer): Picture {
  const parts: Buffer[] = [];
  let [width, height, channels] = [0, 0, 4];
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const kind = file.toString("latin1", at + 4, at + 8);
    const content = file.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") {
      [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)];
      channels = content[9] === 2 ? 3 : 4;
    }
    if (kind === "IDAT") parts.push(content);
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)]!;
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? pixels[y * stride + x - channels]! : 0;
      const up = y > 0 ? pixels[(y - 1) * stride + x]! : 0;
      const corner = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels]! : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x]! + guess;
    }
  }
  const at = (x: number, y: number) => {
    const start = Math.round(y) * stride + Math.round(x) * channels;
    return [pixels[start]!, pixels[start + 1]!, pixels[start + 2]!] as [number, number, number];
  };
  return { width, height, at };
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
