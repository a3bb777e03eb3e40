import { type EpochMs, SECOND_MS } from '../core/base/time/duration.ts';
import type { TapeSpan } from '../core/trades/source/source.ts';
import type { TapeMoments } from '../wiring/tape-record.ts';

/** Nobody waits longer for the next alert, nor for the next result when no alert follows. */
const ALERT_WITHIN_MS = 12 * SECOND_MS;
/** So long that results come for as many minutes as alerts, which the page shows five minutes later. */
const RESULT_WITHIN_MS = 45 * SECOND_MS;

/** What a replay from a moment of the tape leaves out, so that the next alert or result never takes longer. */
export function quietSpans(
  { alerts, results }: TapeMoments,
  { from, speed }: { readonly from: EpochMs; readonly speed: number },
): readonly TapeSpan[] {
  const last = alerts.at(-1) ?? from;
  const awaited = [
    ...alerts.map((at) => ({ at, withinMs: ALERT_WITHIN_MS })),
    ...results.filter((at) => at > last).map((at) => ({ at, withinMs: RESULT_WITHIN_MS })),
  ].filter(({ at }) => at > from);
  return awaited
    .map(({ at, withinMs }, index) => ({
      from: awaited[index - 1]?.at ?? from,
      until: at - withinMs * speed,
    }))
    .filter((span) => span.from < span.until);
}
