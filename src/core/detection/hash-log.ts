import type { Hash64 } from './fill-hash.ts';

/** Entries in one text of a snapshot. */
export const ENTRIES_PER_CHUNK = 8_192;
/** The hour of an entry that was taken out. */
export const TAKEN_OUT = 0;
/** With more changes than these the whole set is written. */
const MOST_LOGGED = 262_144;

/** The table was rebuilt without entries older than the hour. */
export interface Rebuilt {
  readonly from: number;
  readonly forgotten: number;
}

/** Changes of a set since it was written, in order. */
export class HashLog {
  #steps: (number[] | Rebuilt)[] = [];
  #words: number[] = [];
  #size = 0;

  added({ high, low }: Hash64, hour: number): void {
    this.#size += 1;
    if (this.#size > MOST_LOGGED) return;
    if (this.#words.length === 0) this.#steps.push(this.#words);
    this.#words.push(high, low, hour);
    if (this.#words.length === ENTRIES_PER_CHUNK * 3) this.#words = [];
  }

  rebuilt(step: Rebuilt): void {
    this.#steps.push(step);
    this.#words = [];
  }

  /** Null when there are more changes than are worth storing. */
  texts(): Iterable<string> | null {
    return this.#size > MOST_LOGGED ? null : this.#steps.map(toStepText);
  }
}

function toStepText(step: number[] | Rebuilt): string {
  return JSON.stringify(Array.isArray(step) ? toText(Uint32Array.from(step)) : step);
}

/** The entries as base64 of their bytes in the machine's order. */
export function toText({ buffer, byteOffset, byteLength }: Uint32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** The entries of `toText`. */
export function fromText(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64');
  const entries = new Uint32Array(bytes.length / Uint32Array.BYTES_PER_ELEMENT);
  bytes.copy(new Uint8Array(entries.buffer));
  return entries;
}
