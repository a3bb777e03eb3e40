/** A map of bounded size that forgets what was not asked for in a long time. */
export interface LruCache<Value> {
  /** Counts as use. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  readonly size: number;
}

/**
 * Holds at most `capacity` entries (2 or more), and at least the half of it that was used last. Two generations: what
 * is used moves to the younger one; when that is full it becomes the older one, whose unused entries are dropped.
 * Reading a young entry writes nothing, which is what hot paths do.
 */
export function createLruCache<Value>(capacity: number): LruCache<Value> {
  const half = Math.floor(capacity / 2);
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();

  function put(key: string, value: Value): void {
    if (young.size >= half && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
    old.delete(key);
  }

  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) put(key, older);
      return older;
    },
    set: put,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    get size() {
      return young.size + old.size;
    },
  };
}
