/** Counts turns of the event loop: without any, what runs blocks it. */
export class LoopTurns {
  #count = 0;
  #next = setImmediate(() => this.#turn());

  get count(): number {
    return this.#count;
  }

  stop(): void {
    clearImmediate(this.#next);
  }

  #turn(): void {
    this.#count += 1;
    this.#next = setImmediate(() => this.#turn());
  }
}
