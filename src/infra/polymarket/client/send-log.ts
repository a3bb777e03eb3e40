/** The moments at which the last `most` requests were sent. */
export class SendLog {
  readonly #moments: Float64Array;
  #oldest = 0;

  constructor(most: number) {
    this.#moments = new Float64Array(most).fill(Number.NEGATIVE_INFINITY);
  }

  /** From when on one more may be sent, so that no window holds more than `most`. */
  freeAt(windowMs: number): number {
    return (this.#moments[this.#oldest] as number) + windowMs + 1;
  }

  /** Returns a function that moves the request to a later moment. */
  add(at: number): (to: number) => void {
    const own = this.#oldest;
    this.#moments[own] = at;
    this.#oldest = (own + 1) % this.#moments.length;
    return (to) => {
      this.#moments[own] = to;
    };
  }
}
