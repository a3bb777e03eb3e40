import type { LogHead } from '../../src/core/alerts/log/log-entry.ts';
import type { TextSpan } from './screen.ts';

/** Digits of a hash in a post: 128 bits, to prevent collisions. */
const SHORT_HASH = 32;

/** An entry of the log by its number and hash, as `tipoff verify` prints it: `1234:3f9a…` with all 64 digits. */
export function logHeadSpan({ seq, hash }: LogHead): TextSpan {
  return { code: `${seq}:${hash}` };
}

/** A separate line with an entry: `log 1234:3f9a…` with 32 digits. */
export function logLine(head: LogHead): readonly TextSpan[] {
  return ['\nlog ', logHeadSpan({ ...head, hash: head.hash.slice(0, SHORT_HASH) })];
}
