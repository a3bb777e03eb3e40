import { setImmediate as nextTurn } from 'node:timers/promises';

/** Several long works alternate on one thread, so that it is free after as many slices. */
const SLICE_MS = 1;

/** Divides a long work into slices, between which the thread does other work. */
export class TimeSlices {
  #endsAt = performance.now() + SLICE_MS;

  /** Must be called between parts that take much less than a slice. */
  async pause(): Promise<void> {
    if (performance.now() < this.#endsAt) return;
    await nextTurn();
    this.#endsAt = performance.now() + SLICE_MS;
  }
}
