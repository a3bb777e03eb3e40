import type { EpochMs } from '../../base/time/duration.ts';
import type { AlertType, Candidate } from '../../detection/candidate.ts';
import type { Market } from '../../trades/trade.ts';
import type { Alert } from '../alert.ts';
import type { ThreadEntry } from '../alert-store.ts';
import { EMPTY_LOG } from '../log/log-entry.ts';
import { LedgerConflict } from '../log/log-writer.ts';
import { type MarketSettlement, resolutionOf, type Settlement } from '../settlement.ts';
import { alertDraft, settlementDraft } from './log-drafts.ts';
import { type LogRepairDeps, repairLog } from './log-repair.ts';
import { oneThread, positionInThread, threadKeys } from './thread.ts';

/** When a candidate was traded and found, on the source's published clock. */
export interface Moment {
  readonly tradedAt: EpochMs;
  readonly detectedAt: EpochMs;
  readonly isHistory: boolean;
}

interface LedgerDeps extends LogRepairDeps {
  readonly metrics: Pick<LedgerMetrics, 'alertAppended' | 'marketResolved'>;
  readonly onAppended: (alert: Alert) => void;
  readonly onSettled: (settlement: MarketSettlement) => void;
}

/**
 * Numbers alerts, applies settlements, and records both in the log. One writer at a time, one write in flight. The row of an alert or
 * settlement is written first, with its position in the log, then its entry, which is restored from the row after a crash between the
 * two.
 */
export class Ledger {
  readonly #deps: LedgerDeps;
  readonly #healed = new Set<string>();
  #lastId = 0;
  #lastCreatedAt: EpochMs = 0;
  #lastSeq = 0;
  #appended = 0;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
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
    const [last, seq] = await Promise.all([alerts.last(), settlements.lastSeq()]);
    this.#lastId = last?.id ?? 0;
    this.#lastCreatedAt = last?.createdAt ?? 0;
    this.#lastSeq = seq;
    this.#healed.clear();
    this.#appended = 0;
  }

  /** The numbered alert; null if the ledger has it. Throws `LedgerConflict`. */
  async append(candidate: Candidate, moment: Moment): Promise<Alert | null> {
    const { alerts, settlements, metrics, onAppended } = this.#deps;
    const [settled, ...parts] = await Promise.all([
      settlements.get(candidate.marketId),
      ...threadKeys(candidate).map((key) => alerts.thread(key)),
    ]);
    const thread = oneThread(parts);
    const createdAt = Math.max(moment.detectedAt, this.#lastCreatedAt);
    const alert = await this.#write(
      numbered(candidate, moment, { id: this.#lastId + 1, createdAt, thread, settled }),
    );
    // The totals are updated even after a crash between alert and totals; once per market is enough.
    const isCounted = alert === null && this.#healed.has(candidate.marketId);
    if (settled !== null && !isCounted) await this.#recount(settled);
    if (settled !== null) this.#healed.add(candidate.marketId);
    if (alert === null) return null;
    this.#lastId = alert.id;
    this.#lastCreatedAt = createdAt;
    this.#appended += 1;
    metrics.alertAppended(alert.type);
    onAppended(alert);
    return alert;
  }

  /**
   * Applies a settled market to all its alerts. Idempotent; those older than the known one are ignored, since rows are
   * read again after a crash. `at`: time of the settlement on the source's published clock.
   */
  async resolve({ id, outcomes, payouts }: Resolved, at: EpochMs): Promise<void> {
    if (payouts === null) return;
    const known = await this.#deps.settlements.get(id);
    if (known !== null && (isSame(known, { outcomes, payouts }) || at < known.log.at)) return;
    const counted = await this.#applied(id, { outcomes, payouts });
    const draft = settlementDraft(
      known === null ? 'outcome' : 'correction',
      { marketId: id, outcomes, payouts },
      at,
    );
    const settlement = await this.#deps.writer.appendWithRow(draft, (log) =>
      this.#put({ ...counted, log: { ...log, at } }),
    );
    this.#deps.metrics.marketResolved();
    if (settlement !== null) this.#deps.onSettled(settlement);
  }

  #write(alert: Alert): Promise<Alert | null> {
    const { alerts, writer, alertBody } = this.#deps;
    return writer.appendWithRow(alertDraft(alert, alertBody(alert)), async (log) => {
      const marked = { ...alert, log };
      const outcome = await alerts.append(marked);
      if (outcome === 'taken')
        throw new LedgerConflict(`alert id ${alert.id} was written by another process`);
      return outcome === 'appended' ? marked : null;
    });
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
  return { ...candidate, ...clocks, ...position, id, isHistory, resolution, log: EMPTY_LOG };
}

function isSame(a: Settlement, b: Settlement): boolean {
  return isEqual(a.payouts, b.payouts) && isEqual(a.outcomes, b.outcomes);
}

function isEqual<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** Metrics of the ledger. */
export interface LedgerMetrics {
  alertAppended(type: AlertType): void;
  marketResolved(): void;
}
