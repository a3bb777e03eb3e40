import type { DatedExit, ExitLedger } from '../alerts/exits/exit-ledger.ts';
import type { Finding, Ledger, Moment } from '../alerts/ledger/ledger.ts';
import type { RulesReason } from '../alerts/ledger/log-drafts.ts';
import type { Clock } from '../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../base/time/duration.ts';
import type { Candidate } from '../detection/candidate.ts';
import type { Detector } from '../detection/detector.ts';
import type { FoundExit } from '../detection/found-exit.ts';
import type { PriceWatch } from '../record/prices/price-watch.ts';
import { isHistoryTime, publishedTime, type Source, type SourceRow } from '../trades/source/source.ts';
import type { Row } from '../trades/trade.ts';
import type { IngestDeps } from './ingest-deps.ts';
import type { SnapshotWriter } from './snapshot-writer.ts';

interface JudgeRun {
  readonly source: Source;
  readonly detector: Detector;
  readonly prices: Pick<PriceWatch, 'alert' | 'market'>;
  readonly snapshots: Pick<SnapshotWriter, 'isDue' | 'write'>;
}

/**
 * Passes rows through the detector into the ledger and the watch of prices, in order. Awaits only where something must be
 * written: the alerts of a batch together, before a settlement and before a snapshot. When the signal aborts, it ends after
 * the row in progress, or after a group of its alerts.
 *
 * Returns the offset of the state, which is that of the last judged row. Null if only some of a row's findings were written: the
 * state then belongs to no offset and must not be stored.
 */
export async function judgeBatch(
  { ledger, exits: exitLedger, clock, metrics }: Pick<IngestDeps, 'ledger' | 'exits' | 'clock' | 'metrics'>,
  { source, detector, prices, snapshots }: JudgeRun,
  batch: readonly SourceRow[],
  signal: AbortSignal,
): Promise<number | null> {
  const ceiling = ceilingOf(source, clock);
  const group = new Group(ledger, exitLedger, clock);
  let trades = 0;
  let reached = batch[0]?.offset ?? 0;
  for (const { row, offset, acceptedAt } of batch) {
    // A close row may have the offset of the row before it: the two are not separated.
    const isNext = offset !== reached;
    if (isNext && signal.aborted) break;
    if (isNext && snapshots.isDue) {
      await group.commit();
      await snapshots.write(reached);
    }
    const { dropped, candidates, exits, closedAt } = detector.judge(row, acceptedAt ?? ceiling);
    if (row.kind === 'trade') trades += 1;
    group.learnEvent(row);
    if (dropped !== null) metrics.rowDropped(dropped);
    for (const candidate of candidates) {
      if (signal.aborted) return null;
      const detectedAt = source.mapping === null ? (acceptedAt ?? clock.now()) : closedAt;
      await prices.alert(candidate, { closedAt, detectedAt }, detector.factsOf(candidate.marketId));
      await group.add({ candidate, ...momentOf(candidate, source, closedAt, clock) });
    }
    if (exits.length > 0) {
      if (signal.aborted) return null;
      await group.exit(exits.map((exit) => datedExit(exit, source, closedAt, clock)));
    }
    if (row.kind === 'market') prices.market(row.market, detector.time);
    if (row.kind === 'market' && row.market.payouts !== null) {
      await group.commit();
      await ledger.resolve(row.market, settledAt(source, detector.time, acceptedAt ?? clock.now()));
    }
    reached = offset;
  }
  await group.commit();
  metrics.tradesJudged(trades);
  return reached;
}

/** Findings, and events of markets, that are not in the ledger yet. */
class Group {
  readonly #ledger: Pick<Ledger, 'append' | 'groupSize' | 'nameEvents'>;
  readonly #exits: Pick<ExitLedger, 'append'>;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #findings: Finding[] = [];
  readonly #events = new Map<string, string>();

  constructor(
    ledger: Pick<Ledger, 'append' | 'groupSize' | 'nameEvents'>,
    exits: Pick<ExitLedger, 'append'>,
    clock: Pick<Clock, 'sleep'>,
  ) {
    this.#ledger = ledger;
    this.#exits = exits;
    this.#clock = clock;
  }

  async add(finding: Finding): Promise<void> {
    this.#findings.push(finding);
    if (this.#findings.length >= this.#ledger.groupSize) await this.commit();
  }

  learnEvent(row: Row): void {
    if (row.kind === 'trade' && row.trade.eventSlug !== null)
      this.#events.set(row.trade.marketId, row.trade.eventSlug);
    if (row.kind === 'market' && row.market.eventSlug !== null)
      this.#events.set(row.market.id, row.market.eventSlug);
  }

  /** Exits follow the alerts before them. */
  async exit(exits: readonly DatedExit[]): Promise<void> {
    await this.commit();
    await this.#exits.append(exits);
  }

  async commit(): Promise<void> {
    if (this.#findings.length > 0) {
      await this.#ledger.append(this.#findings.splice(0));
      // SQLite writes synchronously: several groups in one turn would block the event loop for all their disk syncs.
      await this.#clock.sleep(0);
    }
    await this.#ledger.nameEvents(this.#events);
    this.#events.clear();
  }
}

/** In published time; the same when the row is read again, if it has `acceptedAt`. */
function settledAt({ mapping }: Source, time: EpochMs, acceptedAt: EpochMs): EpochMs {
  return mapping === null ? acceptedAt : publishedTime(mapping, time);
}

/** Upper bound of the source's time, for rows without `acceptedAt`. */
function ceilingOf({ isLive }: Source, clock: Pick<Clock, 'now'>): EpochMs {
  return isLive ? clock.now() : Number.POSITIVE_INFINITY;
}

/** `closedAt`: the source's time when the order was closed; the row that closed it may be minutes later. */
function momentOf(
  { tradedAt }: Pick<Candidate, 'tradedAt'>,
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

function datedExit(exit: FoundExit, source: Source, closedAt: EpochMs, clock: Pick<Clock, 'now'>): DatedExit {
  const { mapping } = source;
  const alertedAt = mapping === null ? exit.alertedAt : publishedTime(mapping, exit.alertedAt);
  return { ...momentOf(exit, source, closedAt, clock), exit, alertedAt };
}

const REPORT_EVERY_MS = 10 * SECOND_MS;

/**
 * Rebuilds a detector's state from the rows that an earlier run judged with other rules or another build
 * (`Source.judgedUpTo`). Candidates are dropped: the earlier run has published its own.
 */
export class Rebuild {
  readonly #source: Source;
  readonly #detector: Detector;
  readonly #deps: Pick<IngestDeps, 'clock' | 'logger'>;
  /** While true, the state belongs to no offset, and no snapshot may be written. */
  isRunning = true;
  /** Why the positions of earlier alerts are no longer followed; null where they are. */
  loss: RulesReason | null;
  #rows = 0;
  #reportedAt: EpochMs;

  constructor(
    source: Source,
    detector: Detector,
    isOfOtherRules: boolean,
    deps: Pick<IngestDeps, 'clock' | 'logger'>,
  ) {
    this.#source = source;
    this.#detector = detector;
    this.loss = isOfOtherRules ? 'rules' : null;
    this.#deps = deps;
    this.#reportedAt = deps.clock.now();
  }

  /**
   * Judges the rows of the earlier run and returns the rows after them, which must be judged as usual: an order that was
   * open at the end of the earlier run is published when one of them closes it.
   */
  take(batch: readonly SourceRow[]): readonly SourceRow[] {
    const upTo = this.#source.judgedUpTo ?? 0;
    const count = countJudged(batch, upTo);
    const ceiling = ceilingOf(this.#source, this.#deps.clock);
    for (const { row, acceptedAt } of batch.slice(0, count)) this.#detector.judge(row, acceptedAt ?? ceiling);
    this.#rows += count;
    const reached = batch.at(-1)?.offset ?? 0;
    this.isRunning = reached < upTo;
    if (upTo === 0) this.loss = 'rows';
    this.#report(reached, upTo);
    return batch.slice(count);
  }

  #report(offset: number, upTo: number): void {
    const { clock, logger } = this.#deps;
    const fields = { source: this.#source.name, rows: this.#rows, offset: Math.min(offset, upTo) };
    if (!this.isRunning && upTo > 0) logger.info(fields, 'state rebuilt');
    else if (!this.isRunning) logger.warn(fields, 'rows before the snapshot are gone; their state is lost');
    else if (Math.abs(clock.now() - this.#reportedAt) >= REPORT_EVERY_MS) {
      this.#reportedAt = clock.now();
      logger.info({ ...fields, upTo }, 'rebuilding the state');
    }
  }
}

/** A close row has the offset of the row before it: after the last judged row it closes the orders that the earlier run left open. */
function countJudged(batch: readonly SourceRow[], upTo: number): number {
  const last = batch.findIndex(({ offset }) => offset >= upTo);
  if (last < 0) return batch.length;
  return batch[last]?.offset === upTo ? last + 1 : last;
}
