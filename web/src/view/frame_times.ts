// Durations of the last frames that were drawn.

const kept = 240;

export class FrameTimes {
  readonly milliseconds: number[] = [];
  private isResting = true;

  take(milliseconds: number): void {
    // The first frame after a rest tells the length of the rest.
    if (!this.isResting) this.milliseconds.push(milliseconds);
    this.isResting = false;
    if (this.milliseconds.length > kept) this.milliseconds.shift();
  }

  rest(): void {
    this.isResting = true;
  }

  median(): number {
    const sorted = [...this.milliseconds].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? 0;
  }
}
