// Reads the content of a FRAM block: fixed-width numbers, and columns of differences.

/** 2^40 quanta stand for a value that is not finite. */
const notFinite = 2 ** 40;

export class ColumnReader {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u32(): number {
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }

  f32(): number {
    this.at += 4;
    return this.view.getFloat32(this.at - 4, true);
  }

  f64(): number {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }

  /** One zigzag-coded integer. Numbers pass 32 bits, so that arithmetic stands for shifts. */
  integer(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new Error("the block ends within a number");
      value += (byte & 127) * scale;
      if (byte < 128) break;
      scale *= 128;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A column of `count` numbers that were differenced k times. */
  column(count: number, quantum: number, store: (row: number, value: number) => void): void {
    const k = this.bytes[this.at++];
    if (k === undefined || k > 2) throw new Error(`a column was differenced ${k} times`);
    const integers = Array.from({ length: count }, () => this.integer());
    for (let time = 0; time < k; ++time) {
      for (let row = 1; row < count; ++row) integers[row]! += integers[row - 1]!;
    }
    integers.forEach((value, row) => store(row, asNumber(value, quantum)));
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }
}

export function asNumber(quanta: number, quantum: number): number {
  return quanta === notFinite ? NaN : quanta * quantum;
}
