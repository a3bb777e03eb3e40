import type { EpochMs } from '../../base/time/duration.ts';
import { EMPTY_LOG, type JsonObject, type LogHead } from '../log/log-entry.ts';
import { checkEntry, type EntryProblem, type PublishedEntry, type Sha256 } from '../log/seal.ts';
import { firstDifference, settlementDifference } from './differences.ts';
import type { LogContents, LogMismatch } from './log-contents.ts';

/** An earlier view of the log, kept by someone other than the operator: this entry had this hash. */
export interface Evidence {
  readonly kind: 'saved' | 'alert' | 'head';
  readonly sequence: number;
  /** The hash, or its beginning where a text showed it shortened: 16 to 64 lower-case hexadecimal digits. */
  readonly hash: string;
  /** Names it in a message, for example `the head that this machine saved on 2026-11-02`. */
  readonly name: string;
  /** When it was current, if known. */
  readonly at: EpochMs | null;
  /** A moment before which it was received, with all that it states; null where that is not known. */
  readonly receivedBefore: EpochMs | null;
  readonly alert: JsonObject | null;
  /** Whether a reader at the free delay saw it, so that every reader sees it now. */
  readonly isDelayed: boolean;
}

/** Hexadecimal digits of a hash that are accepted for the whole. */
export const LEAST_DIGITS = 16;
/** Digits of a whole hash. */
export const ALL_DIGITS = 64;

/** What the next entry has to extend. */
type Last = LogHead & { readonly at?: EpochMs };

const PROBLEMS: Readonly<Record<EntryProblem['field'], string>> = {
  sequence: 'the next entry has another sequence number',
  previous: 'it does not name the hash of the entry before it',
  hash: 'its hash is not that of its content',
  at: 'it is older than the entry before it',
};

/**
 * Checks entry after entry, from the first on, that they form one chain, that each has the hash of its content, and that
 * they are those that the evidence has seen.
 */
export class ChainCheck {
  readonly #sha256: Sha256;
  readonly #evidence: ReadonlyMap<number, readonly Evidence[]>;
  #last: Last = EMPTY_LOG;

  constructor(evidence: readonly Evidence[], sha256: Sha256) {
    this.#sha256 = sha256;
    this.#evidence = Map.groupBy(evidence, ({ sequence }) => sequence);
  }

  /** The newest entry that was taken; the head of the empty log when there was none. */
  get last(): Last {
    return this.#last;
  }

  /** What is wrong with the next entry; null when it extends the chain so far and agrees with the evidence. */
  take(entry: PublishedEntry): LogMismatch | null {
    const { sequence, hash, at } = entry;
    const problem = checkEntry(entry, this.#last, this.#sha256);
    if (problem !== null) {
      const { field, ...values } = problem;
      const place = field === 'sequence' ? this.#last.sequence + 1 : sequence;
      return { sequence: place, what: PROBLEMS[field], ...values };
    }
    for (const evidence of this.#evidence.get(sequence) ?? []) {
      const finding = contradiction(entry, evidence);
      if (finding !== null) return finding;
    }
    this.#last = { sequence, hash, at };
    return null;
  }

  beyondEnd(): readonly Evidence[] {
    return [...this.#evidence.values()].flat().filter(({ sequence }) => sequence > this.#last.sequence);
  }
}

function contradiction(entry: PublishedEntry, evidence: Evidence): LogMismatch | null {
  const { sequence } = entry;
  const { alert, hash, name } = evidence;
  // The fields first: they say more than a hash.
  const difference = alert === null ? null : alertDifference(entry, alert, name);
  if (difference !== null) return difference;
  if (entry.hash.startsWith(hash)) return null;
  const what = `it is not the entry that ${name} has: it or an entry before it was changed, added or removed since`;
  return { sequence, what, expected: hash.length < ALL_DIGITS ? `${hash}…` : hash, found: entry.hash };
}

function alertDifference(
  { sequence, kind, body }: PublishedEntry,
  alert: JsonObject,
  name: string,
): LogMismatch | null {
  if (kind !== 'alert') {
    const what = `${name} names it as its entry`;
    return { sequence, what, expected: 'an entry of kind alert', found: kind };
  }
  const difference = firstDifference(body, alert, { isWhole: false });
  if (difference === null) return null;
  const { field, expected: logged, found: received } = difference;
  return { sequence, what: `${field} is not as ${name} has it`, expected: received, found: logged };
}

/**
 * The error in the result of a received alert; null if there is none. The result must follow from one of the market's settlements
 * in the log, even one corrected since. Unknown if a settlement does not name the alert's outcome, or if the result may be newer
 * than the end of the log. `visibleSince`: everything published before this moment is in the log.
 */
export function receivedResult(
  { alert: received, name, sequence, receivedBefore }: Evidence,
  contents: LogContents,
  visibleSince: EpochMs,
): LogMismatch | 'unknown' | null {
  const id = received?.['id'];
  const alert = typeof id === 'number' ? contents.alerts.get(id) : undefined;
  if (received === null || alert === undefined || received['resolved'] !== true) return null;
  const { body, marketId } = alert;
  const settlements = contents.settlements.get(marketId) ?? [];
  const differences = settlements.map((settlement) => settlementDifference(body, settlement, received));
  if (differences.includes(null)) return null;
  const mayBeNewer = (receivedBefore ?? Number.POSITIVE_INFINITY) > visibleSince;
  if (mayBeNewer || differences.includes('unknown')) return 'unknown';
  const last = differences.at(-1);
  if (last === undefined || last === null || last === 'unknown') {
    const what = `${name} states a result, and its market has no outcome in the log`;
    return { sequence, what, expected: `an outcome of market ${marketId}`, found: 'none' };
  }
  return {
    sequence: settlements.at(-1)?.sequence ?? sequence,
    what: `${last.field} of ${name} does not follow from any outcome of its market in the log`,
    expected: last.found,
    found: last.expected,
  };
}
