/**
 * A map of a few entries in arrays that have exactly their length: 100 bytes for one entry, of a `Map` 240. Keeps their order.
 * To be searched by keys of a `TextPool`, which are compared by address.
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
