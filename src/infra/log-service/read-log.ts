import { EMPTY_LOG, type LogHead } from '../../core/alerts/log/log-entry.ts';
import { entryLine, type PublishedEntry, parseEntry } from '../../core/alerts/log/seal.ts';
import { ChainCheck, type Evidence } from '../../core/alerts/verification/chain-check.ts';
import { LogContents, type LogMismatch } from '../../core/alerts/verification/log-contents.ts';
import { sha256 } from '../secrets/key-crypto.ts';
import type { LogItem, LogSource } from './log-pages.ts';

const SHOWN = 200;
/** Recent entries by which a head is recognised. */
const HASHES = 5_000;

export class LogReading {
  readonly contents = new LogContents();
  readonly chain: ChainCheck;
  readonly #hashes = new Map([[EMPTY_LOG.sequence, EMPTY_LOG.hash]]);

  constructor(evidence: readonly Evidence[]) {
    this.chain = new ChainCheck(evidence, sha256);
  }

  /** Reads entries that are new since the last call, up to the first mismatch, which is returned. */
  async read(source: LogSource, onProgress: (head: LogHead) => void = () => {}): Promise<LogMismatch | null> {
    for await (const { items, head, isEnd } of source.pages(this.#end)) {
      for (const item of items) {
        const finding = this.#take(item);
        if (finding !== null) return finding;
      }
      onProgress(head);
      if (isEnd) return this.#headFinding(head);
    }
    return null;
  }

  get #end(): number {
    return this.chain.last.sequence;
  }

  #take({ value, line }: LogItem): LogMismatch | null {
    const entry = parseEntry(value);
    if (entry === null) {
      const fields = 'at, body, hash, kind, previous and sequence';
      return malformed(this.#end + 1, 'it is not an entry of a log', fields, value);
    }
    const { sequence, hash } = entry;
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
