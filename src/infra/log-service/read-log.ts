import type { LogHead } from '../../core/alerts/log/log-entry.ts';
import { entryLine, type PublishedEntry, parseEntry } from '../../core/alerts/log/seal.ts';
import { ChainCheck, type Evidence } from '../../core/alerts/verification/chain-check.ts';
import { LogContents, type LogMismatch } from '../../core/alerts/verification/log-contents.ts';
import { sha256 } from '../secrets/sha256.ts';
import type { LogItem, LogSource } from './log-pages.ts';

const SHOWN = 200;
/** Recent entries by which a head is recognised. */
const HASHES = 5_000;

/** The entries of the log that were read so far, in order. */
export class LogReading {
  readonly contents: LogContents;
  readonly chain: ChainCheck;
  readonly #after: number;
  readonly #hashes = new Map<number, string>();
  #head: LogHead | null = null;

  /** `after`: entries up to this sequence number are not read. */
  constructor(after: number, evidence: readonly Evidence[]) {
    this.#after = after;
    this.contents = new LogContents({ isWhole: after === 0 });
    this.chain = new ChainCheck(after, evidence, sha256);
  }

  get head(): LogHead | null {
    return this.#head;
  }

  get count(): number {
    const { first, last } = this.chain;
    return first === null || last === null ? 0 : last.sequence - first + 1;
  }

  /** A reading of later entries, which begins with the last entry of this one. */
  continued(): LogReading {
    const { last } = this.chain;
    if (last === null) return new LogReading(this.#after, []);
    const { sequence, hash } = last;
    const unknown = { at: null, receivedBefore: null, alert: null, isDelayed: false };
    const seen = { kind: 'head', sequence, hash, name: 'the answer before', ...unknown } as const;
    return new LogReading(sequence - 1, [seen]);
  }

  /** Reads entries that are new since the last call, up to the first mismatch, which is returned. */
  async read(source: LogSource, onProgress: (head: LogHead) => void = () => {}): Promise<LogMismatch | null> {
    const from = this.#end;
    for await (const { items, head, isEnd } of source.pages(from)) {
      for (const item of items) {
        const finding = this.#take(item, from);
        if (finding !== null) return finding;
      }
      this.#head = head;
      onProgress(head);
      if (isEnd) return this.#headFinding(head);
    }
    return null;
  }

  get #end(): number {
    return this.chain.last?.sequence ?? this.#after;
  }

  #take({ value, line }: LogItem, from: number): LogMismatch | null {
    const entry = parseEntry(value);
    if (entry === null) {
      const fields = 'at, body, hash, kind, previous and sequence';
      return malformed(this.#end + 1, 'it is not an entry of a log', fields, value);
    }
    const { sequence, hash } = entry;
    // A file begins with its month.
    if (line !== null && sequence <= from) return null;
    const canonical = canonicalLine(entry);
    if (canonical === null || (line !== null && line !== canonical))
      return malformed(
        sequence,
        'it is not in its canonical form',
        canonical ?? 'Unicode text',
        line ?? value,
      );
    const finding = this.chain.take(entry) ?? this.contents.add(entry);
    this.#hashes.set(sequence, hash);
    this.#hashes.delete(sequence - HASHES);
    return finding;
  }

  /** One of several processes may lag behind another, but must not have another log. */
  #headFinding({ sequence, hash }: LogHead): LogMismatch | null {
    const { last } = this.chain;
    if (last === null && sequence <= this.#after) return null;
    if (sequence > this.#end) {
      const what = 'the log ends before the head that the service states';
      return { sequence: this.#end + 1, what, expected: `entries up to ${sequence}`, found: 'no entry' };
    }
    const expected = this.#hashes.get(sequence);
    if (expected === hash) return null;
    const what = 'the service states a head that is not in the log it gave';
    const found = `entry ${sequence} with hash ${hash}`;
    return { sequence, what, expected: expected ?? `entry ${this.#end} or a little earlier`, found };
  }
}

function canonicalLine(entry: PublishedEntry): string | null {
  try {
    return entryLine(entry);
  } catch {
    return null;
  }
}

function malformed(sequence: number, what: string, expected: string, found: unknown): LogMismatch {
  const text = typeof found === 'string' ? found : (JSON.stringify(found) ?? 'nothing');
  return { sequence, what, expected: expected.slice(0, SHOWN), found: text.slice(0, SHOWN) };
}
