import type { EpochMs } from '../../base/time/duration.ts';
import { EMPTY_LOG, type LogHead } from '../log/log-entry.ts';
import { checkEntry, type EntryProblem, type PublishedEntry, type Sha256, sealEntry } from '../log/seal.ts';
import { firstDifference } from './differences.ts';
import { ALL_DIGITS, type Evidence } from './evidence.ts';
import type { LogMismatch } from './log-contents.ts';

/** An entry, or the head before the first one: what the next entry has to extend. */
type Last = LogHead & { readonly at?: EpochMs };

/**
 * Checks entry after entry that they form one chain, that each has the hash of its content, and that they are those that
 * the evidence has seen. Begins after a sequence number; only from 0 on is the first entry's `previous` known.
 */
export class ChainCheck {
  readonly #sha256: Sha256;
  readonly #evidence: ReadonlyMap<number, readonly Evidence[]>;
  readonly #after: number;
  #last: Last | null;
  #first: number | null = null;

  constructor(after: number, evidence: readonly Evidence[], sha256: Sha256) {
    this.#sha256 = sha256;
    this.#after = after;
    this.#evidence = Map.groupBy(evidence, ({ sequence }) => sequence);
    this.#last = after === 0 ? EMPTY_LOG : null;
  }

  /** The newest entry that was taken; null when there was none. */
  get last(): Last | null {
    return this.#first === null ? null : this.#last;
  }

  /** The sequence number of the first entry that was taken. */
  get first(): number | null {
    return this.#first;
  }

  /** What does not hold in the next entry; null when it extends what was taken before, and is as the evidence has it. */
  take(entry: PublishedEntry): LogMismatch | null {
    const last = this.#last ?? { sequence: this.#after, hash: entry.previous };
    const problem = checkEntry(entry, last, this.#sha256);
    if (problem !== null) return this.#chainFinding(problem, entry, last);
    for (const evidence of this.#evidence.get(entry.sequence) ?? []) {
      const finding = contradiction(entry, evidence);
      if (finding !== null) return finding;
    }
    this.#first ??= entry.sequence;
    this.#last = { sequence: entry.sequence, hash: entry.hash, at: entry.at };
    return null;
  }

  /** Evidence of entries after the last one that was taken. */
  beyondEnd(): readonly Evidence[] {
    const end = this.#last?.sequence ?? this.#after;
    return [...this.#evidence.values()].flat().filter(({ sequence }) => sequence > end);
  }

  #chainFinding(problem: EntryProblem, entry: PublishedEntry, last: Last): LogMismatch {
    const { sequence } = entry;
    const iso = (at: EpochMs | undefined) => (at === undefined ? 'any time' : new Date(at).toISOString());
    switch (problem) {
      case 'sequence':
        return {
          sequence: last.sequence + 1,
          what: 'the next entry has another sequence number',
          expected: String(last.sequence + 1),
          found: String(sequence),
        };
      case 'previous': {
        const what = 'it does not name the hash of the entry before it';
        return { sequence, what, expected: last.hash, found: entry.previous };
      }
      case 'hash': {
        const before = { sequence: sequence - 1, hash: entry.previous };
        const draft = { at: entry.at, body: entry.body, kind: entry.kind as never, subject: '' };
        const expected = sealEntry(draft, before, this.#sha256).hash;
        return { sequence, what: 'its hash is not that of its content', expected, found: entry.hash };
      }
      case 'time': {
        const what = 'it is older than the entry before it';
        return { sequence, what, expected: `${iso(last.at)} or later`, found: iso(entry.at) };
      }
    }
  }
}

/** What in an entry is not as the evidence has it. */
function contradiction(entry: PublishedEntry, evidence: Evidence): LogMismatch | null {
  const { sequence } = entry;
  // The fields first: they say more than a hash.
  const difference = evidence.alert === null ? null : alertDifference(entry, evidence);
  if (difference !== null) return difference;
  if (entry.hash.startsWith(evidence.hash)) return null;
  return {
    sequence,
    what: `it is not the entry that ${evidence.name} has: it or an entry before it was changed, added or removed since`,
    expected: evidence.hash.length < ALL_DIGITS ? `${evidence.hash}…` : evidence.hash,
    found: entry.hash,
  };
}

function alertDifference(
  { sequence, kind, body }: PublishedEntry,
  { alert, name }: Evidence,
): LogMismatch | null {
  if (alert === null) return null;
  if (kind !== 'alert')
    return {
      sequence,
      what: `${name} names it as its entry`,
      expected: 'an entry of kind alert',
      found: kind,
    };
  const difference = firstDifference(body, alert, { isWhole: false });
  if (difference === null) return null;
  const { field, expected: logged, found: received } = difference;
  return { sequence, what: `${field} is not as ${name} has it`, expected: received, found: logged };
}
