// A mesh as bytes, of docs/viewer_protocol.md.

export interface Mesh {
  positions: Float32Array;
  indices: Uint32Array;
  /** rgba of each vertex, 0..255. */
  colors: Uint8Array | null;
}

/** Decodes a mesh; throws where the bytes are not one whole mesh. */
export function decodeMesh(bytes: Uint8Array): Mesh {
  const copy = new Uint8Array(bytes).buffer;
  const [vertices, triangles, flags] =
    copy.byteLength >= 16 ? new Uint32Array(copy, 0, 3) : [0, 0, 0];
  const hasColors = ((flags ?? 0) & 1) !== 0;
  const n = vertices ?? 0;
  const m = triangles ?? 0;
  const size = 16 + 12 * n + 12 * m + (hasColors ? 4 * n : 0);
  if (size !== copy.byteLength) {
    throw new Error(`a mesh has ${copy.byteLength} bytes instead of ${size}`);
  }
  const indices = new Uint32Array(copy, 16 + 12 * n, 3 * m);
  if (indices.some((i) => i >= n)) throw new Error("a triangle has a vertex that does not exist");
  return {
    positions: new Float32Array(copy, 16, 3 * n),
    indices,
    colors: hasColors ? new Uint8Array(copy, 16 + 12 * n + 12 * m, 4 * n) : null,
  };
}
