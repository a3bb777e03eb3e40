import { canonicalJson } from '../../base/text/canonical-json.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { JsonObject, LogDraft, LogEntry, LogHead } from './log-entry.ts';

/** SHA-256 of a text's UTF-8 bytes, 64 lower-case hexadecimal digits. */
export type Sha256 = (text: string) => string;

/** An entry as a reader of the log sees it. */
export interface PublishedEntry extends LogHead {
  readonly at: EpochMs;
  /** A `LogKind`, or one that a later version of the service added. */
  readonly kind: string;
  readonly body: JsonObject;
  readonly previous: string;
}

/**
 * Gives a draft its position after `head` and its hash: the SHA-256 of the canonical JSON (RFC 8785) of `at` (ISO 8601,
 * UTC, milliseconds), `body`, `kind`, `previous` and `sequence`. Throws a TypeError when the body is not JSON.
 */
export function sealEntry(draft: LogDraft, head: LogHead, sha256: Sha256): LogEntry {
  const entry = { ...draft, sequence: head.sequence + 1, previous: head.hash };
  return { ...entry, hash: hashOf(entry, sha256) };
}

/** The entry as one line of the log: canonical JSON of `at`, `body`, `hash`, `kind`, `previous` and `sequence`. */
export function entryLine(entry: PublishedEntry): string {
  return canonicalJson({ ...hashedFields(entry), hash: entry.hash });
}

/** What is wrong with an entry, given the one before it. */
export type EntryProblem =
  /** The sequence number is not the next. */
  | 'sequence'
  /** It does not name the hash of the entry before it. */
  | 'previous'
  /** Its hash is not that of its content. */
  | 'hash'
  /** It is older than the entry before it. */
  | 'time';

/** The first thing that is wrong with an entry; null when it extends the log that ends with `previous`. */
export function checkEntry(
  entry: PublishedEntry,
  previous: LogHead & { readonly at?: EpochMs },
  sha256: Sha256,
): EntryProblem | null {
  if (entry.sequence !== previous.sequence + 1) return 'sequence';
  if (entry.previous !== previous.hash) return 'previous';
  if (entry.hash !== hashOf(entry, sha256)) return 'hash';
  return previous.at !== undefined && entry.at < previous.at ? 'time' : null;
}

function hashOf(entry: Omit<PublishedEntry, 'hash'>, sha256: Sha256): string {
  return sha256(canonicalJson(hashedFields(entry)));
}

function hashedFields({ at, body, kind, previous, sequence }: Omit<PublishedEntry, 'hash'>) {
  return { at: new Date(at).toISOString(), body, kind, previous, sequence };
}
