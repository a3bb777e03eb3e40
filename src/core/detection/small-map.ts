/**
 * A map of a few entries in arrays that have exactly their length: 100 bytes for one entry, where a `Map` takes 240. Keeps their
 * order. Search it with keys of a `TextPool`, which are compared by address.
 */
export class SmallMap<Value> {
  #keys: readonly string[] = NONE;
  #values: readonly Value[] = NONE;

  get size(): number {
    return this.#keys.length;
  }

  get(key: string): Value | undefined {
    const index = this.#keys.indexOf(key);
    return index < 0 ? undefined : this.#values[index];
  }

  /** Adds an entry whose key is not there. */
  set(key: string, value: Value): void {
    this.#keys = [...this.#keys, key];
    this.#values = [...this.#values, value];
  }

  /** Not to be changed. */
  values(): readonly Value[] {
    return this.#values;
  }

  entries(): (readonly [string, Value])[] {
    return this.#keys.map((key, index) => [key, this.#values[index] as Value]);
  }
}

const NONE: readonly never[] = [];

/** Makes equal texts share memory: each row has its own copies of ids. */
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
