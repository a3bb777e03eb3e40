import type { Alert, Candidate } from '../alert.ts';
import type { AlertStore, ThreadEntry } from '../ports/alert-store.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { MarketResolution, ResolutionStore } from '../ports/resolution-store.ts';
import { resolutionOf, type Settlement } from '../resolution.ts';
import type { EpochMs, Market } from '../trade.ts';
import { isPublished, positionInThread, threadKey } from './thread.ts';

/** When a candidate was traded and found, on the source's published clock. */
export interface Moment {
  readonly tradedAt: EpochMs;
  readonly detectedAt: EpochMs;
  readonly isHistory: boolean;
}

/** Numbers alerts and books what became of them. One writer at a time; one write in flight. */
export interface Ledger {
  /** Reads where the ledger ends. Before anything else, and again after a fault. */
  open(): Promise<void>;
  /**
   * The numbered alert, or null when it is in the ledger already: under its key, or, published by an older build, under the
   * key of a fill. Throws `LedgerConflict`.
   */
  append(candidate: Candidate, moment: Moment): Promise<Alert | null>;
  /** Alerts appended since it was opened. */
  readonly appended: number;
  /** Applies a settled market to all its alerts. Applying the same again changes nothing. */
  resolve(market: Pick<Market, 'id' | 'outcomes' | 'payouts'>): Promise<void>;
}

/** Another process wrote the id this one was about to write: whoever meets it stands down. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}

interface LedgerDeps {
  readonly alerts: AlertStore;
  readonly resolutions: ResolutionStore;
  readonly metrics: Pick<Metrics, 'alertAppended' | 'marketResolved'>;
  readonly onAppended: (alert: Alert) => void;
  readonly onResolved: (resolution: MarketResolution) => void;
}

/** A ledger over the two stores; `onAppended` and `onResolved` hear of what is written, after it is. */
export function createLedger({ alerts, resolutions, metrics, onAppended, onResolved }: LedgerDeps): Ledger {
  let lastId = 0;
  let lastCreatedAt: EpochMs = 0;
  let lastSeq = 0;
  let appended = 0;
  const healed = new Set<string>();

  async function settle(marketId: string, { outcomes, payouts }: Settlement): Promise<void> {
    // A writer that was paused while another took over must not put an outcome back.
    if ((await resolutions.lastSeq()) !== lastSeq) throw new LedgerConflict('another process books outcomes');
    const totals = await alerts.resolveMarket(marketId, (alert) =>
      resolutionOf(alert, { outcomes, payouts }),
    );
    const resolution = { marketId, seq: lastSeq + 1, outcomes, payouts, ...totals };
    await resolutions.put(resolution);
    lastSeq = resolution.seq;
    onResolved(resolution);
  }

  return {
    async open() {
      const [last, seq] = await Promise.all([alerts.last(), resolutions.lastSeq()]);
      lastId = last?.id ?? 0;
      lastCreatedAt = last?.createdAt ?? 0;
      lastSeq = seq;
      healed.clear();
      appended = 0;
    },
    async append(candidate, moment) {
      const [settled, thread] = await Promise.all([
        resolutions.get(candidate.marketId),
        alerts.thread(threadKey(candidate)),
      ]);
      const createdAt = Math.max(moment.detectedAt, lastCreatedAt);
      const alert = numbered(candidate, moment, { id: lastId + 1, createdAt, thread, settled });
      const outcome = isPublished(thread, alert) ? 'duplicate' : await alerts.append(alert);
      if (outcome === 'taken')
        throw new LedgerConflict(`alert id ${alert.id} was written by another process`);
      // The totals follow the alert, also when a crash came between the two: once a market then is enough.
      const isCounted = outcome === 'duplicate' && healed.has(candidate.marketId);
      if (settled !== null && !isCounted) await settle(candidate.marketId, settled);
      if (settled !== null) healed.add(candidate.marketId);
      if (outcome === 'duplicate') return null;
      lastId = alert.id;
      lastCreatedAt = createdAt;
      appended += 1;
      metrics.alertAppended(alert.type);
      onAppended(alert);
      return alert;
    },
    get appended() {
      return appended;
    },
    async resolve({ id, outcomes, payouts }) {
      if (payouts === null) return;
      const known = await resolutions.get(id);
      if (known !== null && isSame(known, { outcomes, payouts })) return;
      await settle(id, { outcomes, payouts });
      metrics.marketResolved();
    },
  };
}

interface Place {
  readonly id: number;
  readonly createdAt: EpochMs;
  /** The alerts of its thread so far. */
  readonly thread: readonly ThreadEntry[];
  /** What its market paid, when that is known. */
  readonly settled: Settlement | null;
}

function numbered(
  candidate: Candidate,
  { tradedAt, detectedAt, isHistory }: Moment,
  { id, createdAt, thread, settled }: Place,
): Alert {
  const resolution = settled === null ? null : resolutionOf(candidate, settled);
  const clocks = { tradedAt, detectedAt, publishedAt: createdAt, createdAt };
  return { ...candidate, ...clocks, ...positionInThread(id, thread), id, isHistory, resolution };
}

function isSame(a: Settlement, b: Settlement): boolean {
  return isEqual(a.payouts, b.payouts) && isEqual(a.outcomes, b.outcomes);
}

function isEqual<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
