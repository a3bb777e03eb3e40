import { type EpochMs, SECOND_MS } from '../core/base/time/duration.ts';
import type { TapeSpan } from '../core/trades/source/source.ts';
import type { TapeMoments } from '../wiring/tape-record.ts';

/** Nobody waits longer for the next alert or result. */
const WITHIN_MS = 12 * SECOND_MS;

/** What a replay from a moment of the tape leaves out, so that the next alert or result never takes longer. */
export function quietSpans(
  { alerts, results }: TapeMoments,
  { from, speed }: { readonly from: EpochMs; readonly speed: number },
): readonly TapeSpan[] {
  const awaited = [...alerts, ...results].filter((at) => at > from).toSorted((one, other) => one - other);
  return awaited
    .map((at, index) => ({ from: awaited[index - 1] ?? from, until: at - WITHIN_MS * speed }))
    .filter((span) => span.from < span.until);
}
