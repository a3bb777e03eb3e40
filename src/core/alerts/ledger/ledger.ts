import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { AlertType, Candidate } from '../../detection/candidate.ts';
import type { Market } from '../../trades/trade.ts';
import type { Alert } from '../alert.ts';
import type { ThreadEntry } from '../alert-store.ts';
import { EMPTY_LOG, type LogHead } from '../log/log-entry.ts';
import { LedgerConflict } from '../log/log-writer.ts';
import { isSameSettlement, type MarketSettlement, resolutionOf, type Settlement } from '../settlement.ts';
import { alertDraft, settlementDraft } from './log-drafts.ts';
import { type LogRepairDeps, repairLog } from './log-repair.ts';
import { positionInThread, threadKey, threadKeys } from './thread.ts';

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

/** What the ledger already holds about the findings of a group. */
interface Context {
  readonly known: readonly string[];
  readonly settlements: readonly MarketSettlement[];
  readonly threads: Map<string, readonly ThreadEntry[]>;
}

interface LedgerDeps extends LogRepairDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly groups: GroupLimits;
  readonly metrics: LedgerMetrics;
  readonly onAppended: (alerts: readonly Alert[]) => void;
  readonly onSettled: (settlement: MarketSettlement) => void;
}

/**
 * Numbers alerts, applies settlements, and records both in the log. One writer at a time, one write in flight. The rows of a
 * group of alerts, or the row of a settlement, are written first, with their positions in the log; then their entries. After a
 * crash between the two, the entries are restored from the rows.
 */
export class Ledger {
  readonly #deps: LedgerDeps;
  readonly #healed = new Set<string>();
  /** Markets with alerts whose event is unknown. */
  #withoutEvent = new Set<string>();
  #lastId = 0;
  #lastCreatedAt: EpochMs = 0;
  #lastSeq = 0;
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

  /**
   * Repairs the log and reads the end of the ledger. Call it first, and again after a fault. Throws a `UserError` if the log does
   * not match the rows.
   */
  async open(): Promise<void> {
    const { alerts, settlements } = this.#deps;
    await repairLog(this.#deps);
    const [last, seq, withoutEvent] = await Promise.all([
      alerts.last(),
      settlements.lastSeq(),
      alerts.marketsWithoutEvent(),
    ]);
    this.#withoutEvent = new Set(withoutEvent);
    this.#lastId = last?.id ?? 0;
    this.#lastCreatedAt = last?.createdAt ?? 0;
    this.#lastSeq = seq;
    this.#healed.clear();
    this.#appended = 0;
  }

  /** How many findings `append` should get at most: fewer while writing them blocks the event loop for too long. */
  get groupSize(): number {
    return this.#groupSize;
  }

  /** Numbers and writes the findings that the ledger does not have, in order, and returns their alerts. Throws `LedgerConflict`. */
  async append(findings: readonly Finding[]): Promise<readonly Alert[]> {
    const { metrics, onAppended } = this.#deps;
    const context = await this.#contextOf(findings);
    const alerts = await this.#write(this.#numbered(findings, context));
    // The totals are updated even after a crash between alerts and totals; once per market is enough.
    const settledAnew = new Set(alerts.map(({ marketId }) => marketId));
    for (const settled of context.settlements) {
      const { marketId } = settled;
      if (settledAnew.has(marketId) || !this.#healed.has(marketId)) await this.#recount(settled);
      this.#healed.add(marketId);
    }
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
      if (this.#withoutEvent.delete(marketId)) await this.#deps.alerts.nameEvent(marketId, event);
  }

  /**
   * Applies a settled market to all its alerts. Idempotent; those older than the known one are ignored, since rows are
   * read again after a crash. `at`: time of the settlement on the source's published clock.
   */
  async resolve({ id, outcomes, payouts }: Resolved, at: EpochMs): Promise<void> {
    if (payouts === null) return;
    const known = await this.#deps.settlements.get(id);
    if (known !== null && (isSameSettlement(known, { outcomes, payouts }) || at < known.log.at)) return;
    const counted = await this.#applied(id, { outcomes, payouts });
    const settled = { marketId: id, outcomes, payouts };
    const draft = settlementDraft(known === null ? 'outcome' : 'correction', settled, at);
    const settlement = await this.#deps.writer.appendWithRows([draft], ([log]) =>
      this.#put({ ...counted, log: { ...(log as LogHead), at } }),
    );
    this.#deps.onSettled(settlement);
  }

  async #contextOf(findings: readonly Finding[]): Promise<Context> {
    const { alerts, settlements } = this.#deps;
    const keys = new Set(findings.map(({ candidate }) => candidate.key));
    const marketIds = new Set(findings.map(({ candidate }) => candidate.marketId));
    const threads = new Set(findings.flatMap(({ candidate }) => threadKeys(candidate)));
    const [known, settled, entries] = await Promise.all([
      alerts.known([...keys]),
      settlements.some([...marketIds]),
      alerts.threads([...threads]),
    ]);
    return {
      known,
      settlements: settled,
      threads: Map.groupBy(entries, ({ thread }) => thread),
    };
  }

  /** Each finding once, after the earlier alerts of its thread, including those of the same group. */
  #numbered(findings: readonly Finding[], { known, settlements, threads }: Context): Alert[] {
    const settled = new Map(settlements.map((row) => [row.marketId, row]));
    const seen = new Set(known);
    const alerts: Alert[] = [];
    for (const { candidate, ...moment } of findings) {
      if (seen.has(candidate.key)) continue;
      seen.add(candidate.key);
      const earlier = threadKeys(candidate).flatMap((key) => threads.get(key) ?? []);
      const alert = numbered(candidate, moment, {
        id: this.#lastId + alerts.length + 1,
        createdAt: Math.max(moment.detectedAt, alerts.at(-1)?.createdAt ?? this.#lastCreatedAt),
        thread: earlier.sort((a, b) => a.id - b.id),
        settled: settled.get(candidate.marketId) ?? null,
      });
      alerts.push(alert);
      const thread = threadKey(alert);
      threads.set(thread, [...(threads.get(thread) ?? []), { ...alert, thread }]);
    }
    return alerts;
  }

  async #write(alerts: readonly Alert[]): Promise<readonly Alert[]> {
    const { writer, alertBody } = this.#deps;
    if (alerts.length === 0) return [];
    const drafts = alerts.map((alert) => alertDraft(alert, alertBody(alert)));
    return writer.appendWithRows(drafts, (positions) =>
      this.#writeRows(alerts.map((alert, index) => ({ ...alert, log: positions[index] as LogHead }))),
    );
  }

  async #writeRows(rows: readonly Alert[]): Promise<readonly Alert[]> {
    const { alerts, clock, groups } = this.#deps;
    const startedAt = clock.now();
    if ((await alerts.append(...rows)) === 'taken')
      throw new LedgerConflict(`an alert from id ${rows[0]?.id} was written by another process`);
    const isSlow = clock.now() - startedAt > groups.slowMs;
    const size = isSlow ? Math.max(GROUP_FEWEST, Math.ceil(rows.length / 2)) : 2 * this.#groupSize;
    this.#groupSize = Math.min(groups.most, size);
    return rows;
  }

  /** Recounts the alerts of a settled market, without a new log entry. */
  async #recount({ marketId, outcomes, payouts, log }: MarketSettlement): Promise<void> {
    const counted = await this.#applied(marketId, { outcomes, payouts });
    this.#deps.onSettled(await this.#put({ ...counted, log }));
  }

  /** Resolves the alerts of the market, and returns the next row of the market. */
  async #applied(
    marketId: string,
    { outcomes, payouts }: Settlement,
  ): Promise<Omit<MarketSettlement, 'log'>> {
    const { alerts, settlements } = this.#deps;
    // A writer that was paused while another took over must not restore an older settlement.
    if ((await settlements.lastSeq()) !== this.#lastSeq)
      throw new LedgerConflict('another process applies settlements');
    const totals = await alerts.resolveMarket(marketId, (alert) =>
      resolutionOf(alert, { outcomes, payouts }),
    );
    return { marketId, seq: this.#lastSeq + 1, outcomes, payouts, ...totals };
  }

  async #put(settlement: MarketSettlement): Promise<MarketSettlement> {
    await this.#deps.settlements.put(settlement);
    this.#lastSeq = settlement.seq;
    return settlement;
  }
}

type Resolved = Pick<Market, 'id' | 'outcomes' | 'payouts'>;

interface LedgerPosition {
  readonly id: number;
  readonly createdAt: EpochMs;
  readonly thread: readonly ThreadEntry[];
  readonly settled: Settlement | null;
}

function numbered(
  candidate: Candidate,
  { tradedAt, detectedAt, isHistory }: Moment,
  { id, createdAt, thread, settled }: LedgerPosition,
): Alert {
  const resolution = settled === null ? null : resolutionOf(candidate, settled);
  const clocks = { tradedAt, detectedAt, publishedAt: createdAt, createdAt };
  const position = positionInThread(id, thread);
  return { ...candidate, ...clocks, ...position, id, isHistory, resolution, withdrawn: null, log: EMPTY_LOG };
}

/** Metrics of the ledger. */
export interface LedgerMetrics {
  alertAppended(type: AlertType): void;
}
