import type { EpochMs } from '../../../../core/base/time/duration.ts';

/** A longer wait is not believed: the feed would be blind for it. */
const LONGEST_MS = 300_000;

/** What a `Retry-After` asks for, seconds or an HTTP date; null when there is none that can be read. */
export function retryAfterMs(header: string | string[] | undefined, now: EpochMs): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), LONGEST_MS);
}
