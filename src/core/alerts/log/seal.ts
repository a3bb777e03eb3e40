import { canonicalJson } from '../../base/text/canonical-json.ts';
import { iso } from '../../base/text/date-time.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type LogDraft,
  type LogEntry,
  type LogHead,
} from './log-entry.ts';

/** SHA-256 of a text's UTF-8 bytes, 64 lower-case hexadecimal digits. */
export type Sha256 = (text: string) => string;

/** An entry as a reader of the log sees it. */
export interface PublishedEntry extends LogHead {
  readonly at: EpochMs;
  /** A `LogKind`, or one that a later version of the service added. */
  readonly kind: string;
  readonly epoch: number;
  readonly key: string;
  readonly body: JsonObject;
  readonly previous: string;
}

/**
 * Gives a draft its position after `head` and its hash: the SHA-256 of the canonical JSON (RFC 8785) of `at` (ISO 8601,
 * UTC, milliseconds), `body`, `epoch`, `key`, `kind`, `previous` and `seq`. Throws a TypeError when the body is not JSON.
 */
export function sealEntry(
  draft: LogDraft & Pick<LogEntry, 'epoch'>,
  head: LogHead,
  sha256: Sha256,
): LogEntry {
  const entry = { ...draft, seq: head.seq + 1, previous: head.hash };
  return { ...entry, hash: hashOf(entry, sha256) };
}

/** The entry as one line of the log: canonical JSON of `at`, `body`, `epoch`, `hash`, `key`, `kind`, `previous` and `seq`. */
export function entryLine(entry: PublishedEntry): string {
  return canonicalJson({ ...hashedFields(entry), hash: entry.hash });
}

/** What is wrong with an entry, given the one before it. */
export interface EntryProblem {
  readonly field: 'seq' | 'previous' | 'hash' | 'at' | 'epoch';
  readonly expected: string;
  readonly found: string;
}

/** The first thing that is wrong with an entry; null when it extends the log that ends with `previous`. */
export function checkEntry(
  entry: PublishedEntry,
  previous: LogHead & Partial<Pick<LogEntry, 'at' | 'epoch'>>,
  sha256: Sha256,
): EntryProblem | null {
  const fields = [
    ['seq', previous.seq + 1, entry.seq],
    ['previous', previous.hash, entry.previous],
    ['hash', hashOf(entry, sha256), entry.hash],
  ] as const;
  for (const [field, expected, found] of fields)
    if (expected !== found) return { field, expected: String(expected), found: String(found) };
  const { at, epoch } = previous;
  if (at !== undefined && entry.at < at)
    return { field: 'at', expected: `${iso(at)} or later`, found: iso(entry.at) };
  if (epoch !== undefined && entry.epoch < epoch)
    return { field: 'epoch', expected: `${epoch} or larger`, found: String(entry.epoch) };
  return null;
}

function hashOf(entry: Omit<PublishedEntry, 'hash'>, sha256: Sha256): string {
  return sha256(canonicalJson(hashedFields(entry)));
}

function hashedFields({ at, ...entry }: Omit<PublishedEntry, 'hash'>) {
  const { body, epoch, key, kind, previous, seq } = entry;
  return { at: iso(at), body, epoch, key, kind, previous, seq };
}

const HASH = /^[0-9a-f]{64}$/;
const FIELDS = 'at,body,epoch,hash,key,kind,previous,seq';

/**
 * The entry that an element of `GET /api/v1/events` holds, which has these eight fields and no other; null when it is not an entry.
 */
export function parseEntry(value: unknown): PublishedEntry | null {
  if (!isJsonObject(value) || Object.keys(value).sort().join() !== FIELDS) return null;
  const { at, body, epoch, hash, key, kind, previous, seq } = value;
  const moment = momentOf(at);
  if (moment === null || !isJsonObject(body)) return null;
  if (typeof kind !== 'string' || typeof key !== 'string') return null;
  if (!isHash(hash) || !isHash(previous)) return null;
  if (!isCount(epoch) || !isCount(seq) || seq < 1) return null;
  return { at: moment, body, epoch, hash, key, kind, previous, seq };
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isHash(value: Json | undefined): value is string {
  return typeof value === 'string' && HASH.test(value);
}

/** Only the form that was hashed: another spelling of the same moment would pass as that form. */
function momentOf(text: Json | undefined): number | null {
  if (typeof text !== 'string') return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) || new Date(moment).toISOString() !== text ? null : moment;
}
