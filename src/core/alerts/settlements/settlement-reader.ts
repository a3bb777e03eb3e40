import pLimit from 'p-limit';
import { allPages } from '../../base/async/paged.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Alert } from '../alert.ts';
import type { AlertStore } from '../alert-store.ts';
import { marketSubject } from '../ledger/log-drafts.ts';
import type { LogEntry, LogHead, LogKind } from '../log/log-entry.ts';
import type { LogStore } from '../log/log-store.ts';
import type { NumberedEvents } from '../numbered-events.ts';
import { resolutionOf, type Settlement } from '../settlement.ts';

/** The kinds of entries that a settled market makes. */
export const SETTLEMENT_KINDS = ['outcome', 'correction'] as const satisfies readonly LogKind[];
/** An outcome, or a correction that replaces one. */
export type SettlementKind = (typeof SETTLEMENT_KINDS)[number];

/** A settlement as the log has it. */
export interface LoggedSettlement extends Settlement {
  /** 1, 2, 3 … : its position among the outcomes and corrections of the log. */
  readonly number: number;
  readonly kind: SettlementKind;
  readonly marketId: string;
  readonly at: EpochMs;
  readonly log: LogHead;
}

/** A settlement with alerts of its market. */
export interface SettledAlerts {
  readonly settlement: LoggedSettlement;
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
  readonly log: Pick<LogStore, 'last' | 'sequencesOf' | 'some' | 'lastAbout'>;
  readonly alerts: Pick<AlertStore, 'ofMarket'>;
}

/** Reads settlements with the alerts that they settle. Throws what the stores throw. */
export class SettlementReader implements NumberedEvents<SettledAlerts> {
  readonly sequence: SettlementSequence;
  readonly #options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.sequence = new SettlementSequence(options.log);
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
    for (const settlement of await this.#settlements(first, last)) {
      if (alerts >= SETTLEMENT_LIMITS.alertsPerPage) break;
      const settled = await this.withAlerts(settlement, { limit: SETTLEMENT_LIMITS.alerts });
      alerts += settled.alerts.length;
      found.push(settled);
    }
    return found;
  }

  async one(
    number: number,
    page: AlertsPage = { limit: SETTLEMENT_LIMITS.alerts },
  ): Promise<SettledAlerts | null> {
    if (number > this.sequence.last) await this.sequence.refresh();
    const [settlement] = await this.#settlements(number, number);
    return settlement === undefined ? null : this.withAlerts(settlement, page);
  }

  async withAlerts(
    settlement: LoggedSettlement,
    { afterAlert = 0, limit }: AlertsPage,
  ): Promise<SettledAlerts> {
    const { alerts } = this.#options;
    const found = await alerts.ofMarket(settlement.marketId, limit + 1, afterAlert);
    const earlier = found.filter(({ log }) => log.sequence < settlement.log.sequence);
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
  async asPublished(alert: Alert): Promise<Alert> {
    if (alert.resolution === null) return alert;
    const entry = await this.#options.log.lastAbout(marketSubject(alert.marketId), alert.log.sequence);
    return { ...alert, resolution: entry === null ? null : resolutionOf(alert, settlementIn(entry)) };
  }

  async #settlements(first: number, last: number): Promise<readonly LoggedSettlement[]> {
    const sequences = this.sequence.sequences(first, last);
    const entries = sequences.length === 0 ? [] : await this.#options.log.some(sequences);
    if (entries.length < sequences.length)
      throw new Error(`the log lacks an entry of ${sequences.join(', ')}`);
    return entries.map((entry, index) => toSettlement(entry, first + index));
  }
}

function toSettlement(entry: LogEntry, number: number): LoggedSettlement {
  const { at, sequence, hash } = entry;
  const kind = entry.kind as SettlementKind;
  return { number, kind, at, log: { sequence, hash }, ...settlementIn(entry) };
}

/** The payouts in an entry of `SETTLEMENT_KINDS`. */
export function settlementIn({ body }: Pick<LogEntry, 'body'>): Settlement & { readonly marketId: string } {
  const { market_id, outcomes, payouts } = body as {
    readonly market_id: string;
    readonly outcomes: readonly string[];
    readonly payouts: readonly number[];
  };
  return { marketId: market_id, outcomes, payouts };
}

const SEQUENCES_PAGE = 2_000;

/**
 * The numbers of settlements: number n is the n-th outcome or correction in the log. The log is dense and only grows, so that the
 * numbers are dense and never change, in each process and after any crash.
 */
class SettlementSequence {
  readonly #log: ReaderOptions['log'];
  /** Sequence numbers in the log, ascending. */
  #sequences: readonly number[] = [];
  #seen = 0;
  readonly #oneAtATime = pLimit(1);

  constructor(log: ReaderOptions['log']) {
    this.#log = log;
  }

  /** The largest number of the last `refresh`; 0 when there is none. */
  get last(): number {
    return this.#sequences.length;
  }

  /** Reads the entries added to the log since the last call: one index seek when there are none. Throws what the store throws. */
  refresh(): Promise<void> {
    return this.#oneAtATime(() => this.#read());
  }

  /** The largest number whose entry is at or before a sequence number of the log. */
  upTo(sequence: number): number {
    return this.#sequences.findLastIndex((each) => each <= sequence) + 1;
  }

  /** The sequence numbers in the log of the settlements from one number to another, both included. */
  sequences(first: number, last: number): readonly number[] {
    return this.#sequences.slice(Math.max(0, first - 1), last);
  }

  async #read(): Promise<void> {
    const upto = (await this.#log.last())?.sequence ?? 0;
    if (upto === this.#seen) return;
    const read = (kind: SettlementKind) =>
      allPages<number>(
        (last = this.#seen) => this.#log.sequencesOf(kind, { after: last, upto, limit: SEQUENCES_PAGE }),
        SEQUENCES_PAGE,
      );
    const found = (await Promise.all(SETTLEMENT_KINDS.map(read))).flat();
    this.#sequences = this.#sequences.concat(found.sort((a, b) => a - b));
    this.#seen = upto;
  }
}
