import type { Alert } from '../alert.ts';
import type { AlertIndex } from '../alert-index/alert-index.ts';
import type { AlertStore } from '../alert-store.ts';
import type { NumberedEvents } from '../numbered-events.ts';
import { type MarketSettlement, resolutionOf } from '../settlement.ts';

/** A settlement with alerts of its market. */
export interface SettledAlerts {
  readonly settlement: MarketSettlement;
  /**
   * Those published before it, oldest first, each with the result that these payouts give it. A later alert has its own result
   * from the beginning.
   */
  readonly alerts: readonly Alert[];
  readonly hasMore: boolean;
}

/** Which alerts of a settlement are read. */
export interface AlertsPage {
  readonly afterAlert?: number;
  readonly limit: number;
}

/** Bounds; `alertsPerPage` ends a page of settlements early. */
export const SETTLEMENT_LIMITS = {
  pageSize: 500,
  alerts: 100,
  alertsOfOne: 500,
  alertsPerPage: 2_000,
} as const;

const SEARCHED_PAGE = 500;

interface ReaderOptions {
  readonly alertIndex: AlertIndex;
  readonly alerts: Pick<AlertStore, 'ofMarket'>;
}

/** The numbers of settlements: they are dense and never change, since the log only grows. */
export interface SettlementSequence {
  /** Brings the numbers up to the end of the log. Throws what the store throws. */
  refresh(): Promise<void>;
  /** The largest number; 0 when there is none. */
  readonly last: number;
  /** The largest number whose entry is at or before a sequence number of the log. */
  upTo(sequence: number): number;
}

/** Reads settlements with the alerts that they settle. Throws what the stores throw. */
export class SettlementReader implements NumberedEvents<SettledAlerts> {
  readonly sequence: SettlementSequence;
  readonly #options: ReaderOptions;

  constructor(options: ReaderOptions) {
    const { alertIndex: index } = options;
    this.sequence = {
      refresh: () => index.upToDate(),
      get last() {
        return index.settlements.all.length;
      },
      upTo: (sequence) => index.settlements.upTo(sequence),
    };
    this.#options = options;
  }

  async last(): Promise<number> {
    await this.sequence.refresh();
    return this.sequence.last;
  }

  /**
   * The settlements from one number to another, both included, ascending, each with its first `SETTLEMENT_LIMITS.alerts` alerts.
   * Fewer, but at least one, where they have many alerts.
   */
  async range(first: number, last: number): Promise<readonly SettledAlerts[]> {
    const found: SettledAlerts[] = [];
    let alerts = 0;
    for (const settlement of this.#settlements(first, last)) {
      if (alerts >= SETTLEMENT_LIMITS.alertsPerPage) break;
      const settled = await this.withAlerts(settlement, { limit: SETTLEMENT_LIMITS.alerts });
      alerts += settled.alerts.length;
      found.push(settled);
    }
    return found;
  }

  /** Also one that another process has just entered. */
  async one(
    number: number,
    page: AlertsPage = { limit: SETTLEMENT_LIMITS.alerts },
  ): Promise<SettledAlerts | null> {
    if (number > this.sequence.last) await this.#options.alertIndex.refresh();
    const [settlement] = this.#settlements(number, number);
    return settlement === undefined ? null : this.withAlerts(settlement, page);
  }

  async withAlerts(
    settlement: MarketSettlement,
    { afterAlert = 0, limit }: AlertsPage,
  ): Promise<SettledAlerts> {
    const { alerts } = this.#options;
    const found = await alerts.ofMarket(settlement.marketId, limit + 1, afterAlert);
    const earlier = found.filter(({ log }) => log.seq < settlement.log.seq);
    const settled = earlier
      .slice(0, limit)
      .map((alert) => ({ ...alert, resolution: resolutionOf(alert, settlement) }));
    return { settlement, alerts: settled, hasMore: earlier.length > limit };
  }

  async concerned<Recipient>(
    settled: SettledAlerts,
    recipients: readonly Recipient[],
    wants: (recipient: Recipient, alert: Alert) => boolean,
  ): Promise<readonly Recipient[]> {
    const undecided = new Set(recipients);
    for (let page = settled; ; ) {
      for (const each of undecided)
        if (page.alerts.some((alert) => wants(each, alert))) undecided.delete(each);
      const afterAlert = page.alerts.at(-1)?.id ?? 0;
      if (undecided.size === 0 || !page.hasMore) break;
      page = await this.withAlerts(settled.settlement, { afterAlert, limit: SEARCHED_PAGE });
    }
    return recipients.filter((each) => !undecided.has(each));
  }

  /** The alert as published, with the result its market had then, regardless of what became known later. */
  asPublished(alert: Alert): Alert {
    if (alert.resolution === null) return alert;
    const { settlements = [] } = this.#options.alertIndex.settlements.market(alert.marketId) ?? {};
    const settlement = settlements.findLast(({ log }) => log.seq < alert.log.seq);
    return { ...alert, resolution: settlement === undefined ? null : resolutionOf(alert, settlement) };
  }

  #settlements(first: number, last: number): readonly MarketSettlement[] {
    return this.#options.alertIndex.settlements.all.slice(Math.max(0, first - 1), last);
  }
}
