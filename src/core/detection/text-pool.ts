/** Gives equal texts the same memory: each row brings a copy of its own of the ids it names. */
export class TextPool {
  readonly #most: number;
  #newer = new Map<string, string>();
  #older = new Map<string, string>();

  /** `most`: how many texts are known at most, twice; those not asked for in between are left out first. */
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
