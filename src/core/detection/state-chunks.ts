/** Aim for the length of one piece of a snapshot, in UTF-16 units; a database document holds a few of them. */
const CHUNK_LENGTH = 250_000;

/** The items as JSON arrays of about `CHUNK_LENGTH` each, in order. */
export function* jsonChunks(items: Iterable<unknown>): Iterable<string> {
  let parts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = JSON.stringify(item);
    parts.push(text);
    length += text.length;
    if (length < CHUNK_LENGTH) continue;
    yield `[${parts.join(',')}]`;
    parts = [];
    length = 0;
  }
  if (parts.length > 0) yield `[${parts.join(',')}]`;
}

/** The items of `jsonChunks`, back in order. `T` is what was written; the state never leaves the service. */
export function* itemsOf<T>(texts: readonly string[]): Iterable<T> {
  for (const text of texts) yield* JSON.parse(text) as T[];
}

/** A part of the detector that can be written down and read back to the same future. */
export interface Snapshotted {
  chunks(): Iterable<string>;
  restore(texts: readonly string[]): void;
}
