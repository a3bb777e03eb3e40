import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { AlertType, Candidate } from '../../detection/candidate.ts';
import type { Market } from '../../trades/trade.ts';
import type { Alert } from '../alert.ts';
import { alertDraft, alertOfEntry } from '../alert-entry.ts';
import type { AlertIndex } from '../alert-index/alert-index.ts';
import { ALWAYS } from '../alert-index/alert-reader.ts';
import type { AlertStore } from '../alert-store.ts';
import { EMPTY_LOG } from '../log/log-entry.ts';
import type { LogStore } from '../log/log-store.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { Markets } from '../markets.ts';
import { isSameSettlement, type MarketSettlement } from '../settlement.ts';
import type { Settlements } from '../settlements/settlements.ts';
import { settlementDraft } from './log-drafts.ts';
import { isOfThread } from './thread.ts';

/** When a candidate was traded and found, on the source's published clock. */
export interface Moment {
  readonly tradedAt: EpochMs;
  readonly detectedAt: EpochMs;
  readonly isHistory: boolean;
}

/** A candidate and when it was found. */
export interface Finding extends Moment {
  readonly candidate: Candidate;
}

/** Smaller groups would not block the event loop for less time: the rest is the disk sync. */
const GROUP_FEWEST = 8;

/** How many alerts are written together. */
export interface GroupLimits {
  readonly most: number;
  /** After a write that took longer, the next group is half as large. Infinite where a write does not block the event loop. */
  readonly slowMs: number;
}

interface LedgerDeps {
  readonly alerts: Pick<AlertStore, 'last' | 'marketsWithoutEvent'>;
  readonly index: Pick<AlertIndex, 'refresh' | 'thread' | 'asOf'>;
  readonly log: Pick<LogStore, 'known'>;
  readonly markets: Pick<Markets, 'nameEvent'>;
  readonly writer: LogWriter;
  readonly settlements: Pick<Settlements, 'ofMarket'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly groups: GroupLimits;
  readonly metrics: LedgerMetrics;
  readonly onAppended: (alerts: readonly Alert[]) => void;
  readonly onSettled: (settlement: MarketSettlement) => void;
}

/** Numbers alerts, and enters them and settlements in the log. One writer at a time, one write in flight. */
export class Ledger {
  readonly #deps: LedgerDeps;
  /** Markets with alerts whose event is unknown. */
  #withoutEvent = new Set<string>();
  #lastId = 0;
  #lastCreatedAt: EpochMs = 0;
  #appended = 0;
  #groupSize: number;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
    this.#groupSize = deps.groups.most;
  }

  /** The id of the newest alert; 0 without one. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Alerts appended since `open`. */
  get appended(): number {
    return this.#appended;
  }

  /** Opens the log for this turn at the lease and reads the end of the ledger. Call it first, and again after a fault. */
  async open(epoch: number): Promise<void> {
    const { alerts, writer, index } = this.#deps;
    await writer.open(epoch);
    await index.refresh();
    const [last, withoutEvent] = await Promise.all([alerts.last(), alerts.marketsWithoutEvent()]);
    this.#withoutEvent = new Set(withoutEvent);
    this.#lastId = last?.id ?? 0;
    this.#lastCreatedAt = last?.createdAt ?? 0;
    this.#appended = 0;
  }

  /** How many findings `append` should get at most: fewer while writing them blocks the event loop for too long. */
  get groupSize(): number {
    return this.#groupSize;
  }

  /** Numbers and writes the findings that the ledger does not have, in order, and returns their alerts. Throws `LedgerConflict`. */
  async append(findings: readonly Finding[]): Promise<readonly Alert[]> {
    const { metrics, onAppended } = this.#deps;
    const alerts = await this.#write(await this.#numbered(findings));
    const last = alerts.at(-1);
    if (last === undefined) return alerts;
    this.#lastId = last.id;
    this.#lastCreatedAt = last.createdAt;
    this.#appended += alerts.length;
    for (const { type, marketId, marketEvent } of alerts) {
      metrics.alertAppended(type);
      if (marketEvent === null) this.#withoutEvent.add(marketId);
    }
    onAppended(alerts);
    return alerts;
  }

  /** Gives alerts whose event was unknown the slug of it. `events`: by the id of the market; of any markets. */
  async nameEvents(events: ReadonlyMap<string, string>): Promise<void> {
    for (const [marketId, event] of events)
      if (this.#withoutEvent.delete(marketId)) await this.#deps.markets.nameEvent(marketId, event);
  }

  /**
   * Records a settled market, whose payouts are the result of all its alerts. One that is equal to the known one, or older, is none:
   * rows are read again after a crash. `at`: time of the settlement on the source's published clock.
   */
  async resolve({ id, outcomes, payouts }: Resolved, at: EpochMs): Promise<void> {
    const { index, settlements, writer, onSettled } = this.#deps;
    if (payouts === null) return;
    await index.refresh();
    const known = await settlements.ofMarket(id);
    if (known !== null && (isSameSettlement(known, { outcomes, payouts }) || at < known.at)) return;
    const settled = { marketId: id, outcomes, payouts };
    await writer.append([settlementDraft(settled, at, known)]);
    const settlement = await settlements.ofMarket(id);
    if (settlement !== null) onSettled(settlement);
  }

  /** Each finding that is not in the log once, after the earlier alerts of its thread, including those of the same group. */
  async #numbered(findings: readonly Finding[]): Promise<readonly Alert[]> {
    const { index, log } = this.#deps;
    const keys = findings.map(({ candidate }) => candidate.key);
    const [known] = await Promise.all([log.known(keys), index.refresh()]);
    const seen = new Set(known);
    const alerts: Alert[] = [];
    for (const { candidate, ...moment } of findings) {
      if (seen.has(candidate.key)) continue;
      seen.add(candidate.key);
      const ofGroup = alerts.filter((alert) => isOfThread(alert, candidate)).map(({ id }) => id);
      const alert = numbered(candidate, moment, {
        id: this.#lastId + alerts.length + 1,
        createdAt: Math.max(moment.detectedAt, alerts.at(-1)?.createdAt ?? this.#lastCreatedAt),
        thread: [...index.thread(candidate), ...ofGroup],
      });
      alerts.push(alert);
    }
    return alerts;
  }

  async #write(alerts: readonly Alert[]): Promise<readonly Alert[]> {
    const { writer, index, clock, groups } = this.#deps;
    if (alerts.length === 0) return [];
    const startedAt = clock.now();
    const entries = await writer.append(alerts.map(alertDraft));
    const isSlow = clock.now() - startedAt > groups.slowMs;
    const size = isSlow ? Math.max(GROUP_FEWEST, Math.ceil(alerts.length / 2)) : 2 * this.#groupSize;
    this.#groupSize = Math.min(groups.most, size);
    return entries.map((entry) => index.asOf(alertOfEntry(entry), ALWAYS));
  }
}

type Resolved = Pick<Market, 'id' | 'outcomes' | 'payouts'>;

interface LedgerPosition {
  readonly id: number;
  readonly createdAt: EpochMs;
  /** The alerts before it in its thread, ascending. */
  readonly thread: readonly number[];
}

function numbered(
  candidate: Candidate,
  { tradedAt, detectedAt, isHistory }: Moment,
  { id, createdAt, thread }: LedgerPosition,
): Alert {
  const clocks = { tradedAt, detectedAt, publishedAt: createdAt, createdAt };
  const position = { threadId: thread[0] ?? id, supersedes: thread.at(-1) ?? null };
  const none = { resolution: null, withdrawn: null, log: EMPTY_LOG };
  return { ...candidate, ...clocks, ...position, ...none, id, isHistory };
}

/** Metrics of the ledger. */
export interface LedgerMetrics {
  alertAppended(type: AlertType): void;
}
