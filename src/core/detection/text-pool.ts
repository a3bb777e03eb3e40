/** Makes equal texts share memory: each row has copies of the ids in it. */
export class TextPool {
  readonly #most: number;
  #newer = new Map<string, string>();
  #older = new Map<string, string>();

  /** Holds at most twice `most` texts; those not used recently are dropped first. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The text as it was first given. */
  of(text: string): string {
    const known = this.#newer.get(text);
    if (known !== undefined) return known;
    const kept = this.#older.get(text) ?? text;
    if (this.#newer.size >= this.#most) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(kept, kept);
    return kept;
  }
}
