import { isJsonObject, type Json } from './log-entry.ts';
import type { PublishedEntry } from './seal.ts';

const HASH = /^[0-9a-f]{64}$/;
const FIELDS = 'at,body,hash,kind,previous,sequence';

/** The entry that a line of the log holds; null when it holds none. Its hash is not checked. */
export function parseEntryLine(line: string): PublishedEntry | null {
  try {
    return parseEntry(JSON.parse(line));
  } catch {
    return null;
  }
}

/** The entry that an element of `GET /api/v1/log` holds, which has these six fields and no other; null when it is none. */
export function parseEntry(value: unknown): PublishedEntry | null {
  if (!isJsonObject(value) || Object.keys(value).sort().join() !== FIELDS) return null;
  const { at, body, hash, kind, previous, sequence } = value;
  const moment = momentOf(at);
  if (moment === null || typeof kind !== 'string' || !isJsonObject(body)) return null;
  if (!isHash(hash) || !isHash(previous)) return null;
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 1) return null;
  return { at: moment, body, hash, kind, previous, sequence };
}

function isHash(value: Json | undefined): value is string {
  return typeof value === 'string' && HASH.test(value);
}

/** Only the form that the hash is made of: another form of the same moment would hash as if it were that. */
function momentOf(text: Json | undefined): number | null {
  if (typeof text !== 'string') return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) || new Date(moment).toISOString() !== text ? null : moment;
}
