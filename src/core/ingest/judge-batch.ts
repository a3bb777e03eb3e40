import type { Candidate } from '../alerts/alert.ts';
import type { Clock } from '../clock.ts';
import type { Detector } from '../detection/detector.ts';
import type { Ledger, Moment } from '../ledger/ledger.ts';
import type { ObservationWriter } from '../observations/observation-writer.ts';
import type { Source, SourceRow } from '../source/source.ts';
import { isHistoryTime, publishedTime } from '../source/time-mapping.ts';
import type { EpochMs } from '../trade.ts';
import type { IngestMetrics } from './ingest-metrics.ts';

/** Where alerts and counts are written. */
export interface JudgeDeps {
  readonly ledger: Ledger;
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: Pick<IngestMetrics, 'rowDropped' | 'tradesJudged'>;
}

interface JudgeRun {
  readonly source: Source;
  readonly detector: Detector;
  readonly observations: Pick<ObservationWriter, 'alert' | 'market' | 'advance' | 'isDue' | 'beginFlush'>;
}

/**
 * Passes rows through the detector into the ledger and the observations, in order. Awaits only where something must be
 * written.
 */
export async function judgeBatch(
  { ledger, clock, metrics }: JudgeDeps,
  { source, detector, observations }: JudgeRun,
  batch: readonly SourceRow[],
): Promise<void> {
  const ceiling = ceilingOf(source, clock);
  let trades = 0;
  for (const { row, acceptedAt } of batch) {
    const { dropped, candidates, closedAt } = detector.judge(row, acceptedAt ?? ceiling);
    if (row.kind === 'trade') trades += 1;
    if (dropped !== null) metrics.rowDropped(dropped);
    for (const candidate of candidates) {
      await ledger.append(candidate, momentOf(candidate, source, closedAt, clock));
      const detectedAt = source.mapping === null ? (acceptedAt ?? clock.now()) : closedAt;
      const moment = { tradedAt: candidate.tradedAt, closedAt, detectedAt };
      await observations.alert(candidate, moment, detector.factsOf(candidate.marketId));
    }
    if (row.kind === 'market') {
      observations.market(row.market, detector.time);
      if (row.market.payouts !== null)
        await ledger.resolve(row.market, settledAt(source, detector.time, acceptedAt ?? clock.now()));
    }
    observations.advance(detector.time);
    if (observations.isDue) await observations.beginFlush();
  }
  metrics.tradesJudged(trades);
}

/** Upper bound of the source's time, for rows without `acceptedAt`. */
export function ceilingOf({ isLive }: Source, clock: Pick<Clock, 'now'>): EpochMs {
  return isLive ? clock.now() : Number.POSITIVE_INFINITY;
}

/** When a market's outcome became known, in published time; the same when the row is read again, if it has `acceptedAt`. */
function settledAt({ mapping }: Source, sourceTime: EpochMs, acceptedAt: EpochMs): EpochMs {
  return mapping === null ? acceptedAt : publishedTime(mapping, sourceTime);
}

/** `closedAt`: the source's time when the order was closed; the row that closed it may be minutes later. */
function momentOf(
  { tradedAt }: Candidate,
  { mapping }: Source,
  closedAt: EpochMs,
  clock: Pick<Clock, 'now'>,
): Moment {
  if (mapping === null) return { tradedAt, detectedAt: clock.now(), isHistory: false };
  return {
    tradedAt: publishedTime(mapping, tradedAt),
    detectedAt: publishedTime(mapping, closedAt),
    isHistory: isHistoryTime(mapping, closedAt),
  };
}
