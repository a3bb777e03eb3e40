import { canonicalJson } from '../base/text/canonical-json.ts';
import { textHash } from './fill-hash.ts';
import { type LruLinks, type LruMap, unlinked } from './lru-map.ts';
import type { DetectionRules } from './rules.ts';

/** Aim for the length of one piece of a snapshot, in UTF-16 units; a database document holds a few of them. */
const CHUNK_LENGTH = 250_000;

/**
 * A part of the detector's state. It can be written whole or as the changes since it was last written; restored, it behaves the
 * same. Texts are at most about 250 KB long. The part must not change between two texts.
 */
export interface StatePart {
  whole(): Iterable<string>;
  /** Texts that must be restored after all that was written before; null when only the whole part can be written. */
  changes(): Iterable<string> | null;
  /** The part is written: changes count from now on. */
  markWritten(): void;
  /** Restores the next text: first those of the whole part, then the changes in the order in which they were written. */
  restore(text: string): void;
}

/** A part that is one JSON value, always written whole. */
export function valuePart<Value>(read: () => Value, restore: (value: Value) => void): StatePart {
  return {
    whole: () => [JSON.stringify(read())],
    changes: () => null,
    markWritten: () => {},
    restore: (text) => restore(JSON.parse(text) as Value),
  };
}

/** A stored text of a part or of its changes. */
interface StateChunk {
  readonly part: string;
  readonly isWhole: boolean;
  readonly text: string;
}

/** `wallets=…` is a whole part, `wallets+…` its changes. Not quoted, since the texts are long. */
export function toChunkText({ part, isWhole, text }: StateChunk): string {
  return `${part}${isWhole ? '=' : '+'}${text}`;
}

/** A part's name has letters. Throws on anything else. */
export function fromChunkText(chunk: string): StateChunk {
  const [, part, sign] = /^([a-z]+)([=+])/.exec(chunk) ?? [];
  if (part === undefined) throw new Error('The snapshot has a chunk that belongs to no part.');
  return { part, isWhole: sign === '=', text: chunk.slice(part.length + 1) };
}

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

/** How the entries of an `LruMap` are written. `Plain` is not an array. */
interface LruCodec<Entry, Plain> {
  toPlain(entry: Entry): Plain;
  fromPlain(plain: Plain): Entry;
}

/** Precedes the touched entries, which are a list. */
interface LruHead {
  readonly evicted: readonly number[];
  readonly removed: readonly string[];
}

interface Altered<Plain> {
  readonly altered: readonly Plain[];
}

/** An `LruMap` as a part of the state. */
export class LruPart<Entry extends LruLinks<Entry>, Plain> implements StatePart {
  readonly #map: LruMap<Entry>;
  readonly #codec: LruCodec<Entry, Plain>;

  constructor(map: LruMap<Entry>, codec: LruCodec<Entry, Plain>) {
    this.#map = map;
    this.#codec = codec;
  }

  *whole(): Iterable<string> {
    yield JSON.stringify({ evicted: this.#map.evicted, removed: [] } satisfies LruHead);
    yield* jsonChunks(this.#plain(this.#map.values()));
  }

  changes(): Iterable<string> | null {
    const { removed } = this.#map;
    return removed === null || removed.size > this.#map.size ? null : this.#changes([...removed]);
  }

  *#changes(removed: readonly string[]): Iterable<string> {
    const { evicted } = this.#map;
    if (removed.length > 0) yield JSON.stringify({ evicted, removed } satisfies LruHead);
    for (const items of jsonChunks(this.#plain(this.#map.altered()))) yield `{"altered":${items}}`;
    yield* jsonChunks(this.#plain(this.#map.touched()));
  }

  markWritten(): void {
    this.#map.markWritten();
  }

  restore(text: string): void {
    const read = JSON.parse(text) as LruHead | Altered<Plain> | readonly Plain[];
    if (Array.isArray(read))
      for (const plain of read as readonly Plain[]) this.#map.put(this.#codec.fromPlain(plain));
    else if ('altered' in read)
      for (const plain of read.altered) this.#map.replace(this.#codec.fromPlain(plain));
    else this.#begin(read as LruHead);
  }

  #begin({ evicted, removed }: LruHead): void {
    for (const [rank, count] of evicted.entries()) this.#map.evicted[rank] = count;
    for (const key of removed) this.#map.deleteKey(key);
  }

  *#plain(entries: Iterable<Entry>): Iterable<Plain> {
    for (const entry of entries) yield this.#codec.toPlain(entry);
  }
}

/** The part of entries that are plain data but for their links. */
export function plainPart<Entry extends LruLinks<Entry>>(map: LruMap<Entry>): StatePart {
  return new LruPart<Entry, Omit<Entry, keyof LruLinks<Entry>>>(map, {
    toPlain: ({ older: _, newer: __, rank: ___, touchedIn: ____, ...plain }) => plain,
    fromPlain: (plain) => ({ ...plain, ...unlinked<Entry>() }) as unknown as Entry,
  });
}

/** Names the shape of `Detector.snapshot`. Goes up with every change of what a part of it holds or means. */
export const STATE_FORMAT = 12;

/** What made a detector's state. Nothing else continues it: other rules would have led to another state. */
export interface StateVersion {
  readonly format: number;
  /** Hash of all rules but the plan of the record, since operators may name their versions as they like. */
  readonly rules: string;
}

/**
 * The version of the states that a detector with these rules makes. The order in which the rules are written does not
 * matter, nor does the plan of the record, which the detector does not use.
 */
export function stateVersionOf({ record: _plan, ...detection }: DetectionRules): StateVersion {
  const { high, low } = textHash(canonicalJson(detection));
  return { format: STATE_FORMAT, rules: `${hex(high)}${hex(low)}` };
}

/** `recorded`: what a snapshot states about itself. */
export function isSameVersion(recorded: StateVersion, { format, rules }: StateVersion): boolean {
  return recorded.format === format && recorded.rules === rules;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}
