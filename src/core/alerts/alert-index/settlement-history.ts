import type { EpochMs } from '../../base/time/duration.ts';
import type { StoredAlerts } from '../alert-store.ts';
import { marketSubject } from '../ledger/log-drafts.ts';
import type { LogEntry } from '../log/log-entry.ts';
import type { LogStore } from '../log/log-store.ts';
import {
  type KnownSettlement,
  type MarketSettlement,
  resolutionOf,
  type SettlementStore,
} from '../settlement.ts';
import { settlementIn } from '../settlements/settlement-reader.ts';

const PAGE = 500;
const CORRECTIONS_MAX = 10_000;
/** Alerts of a corrected market whose former results are kept. */
const CORRECTED_MAX = 10_000;

/** What the history is read from. */
export interface HistorySource {
  readonly alerts: Pick<StoredAlerts, 'results' | 'ofMarket'>;
  readonly settlements: Pick<SettlementStore, 'after' | 'lastSeq'>;
  readonly log: Pick<LogStore, 'sequencesOf' | 'some' | 'lastAbout'>;
  /** Lets other work run between two pages. */
  readonly pause: () => Promise<unknown>;
}

/** A settlement, with the number of its entry in the log. */
type LoggedSettlement = KnownSettlement & { readonly sequence: number };

/** A settlement that a correction replaced, with the results that it gave by the id of the alert. */
type ReplacedSettlement = KnownSettlement & { readonly won: ReadonlyMap<number, boolean> };

/** A market with alerts or a settlement. */
export interface IndexedMarket {
  readonly id: string;
  /** Of its alerts, ascending. */
  readonly alertIds: number[];
  readonly replaced: ReplacedSettlement[];
  current: LoggedSettlement | null;
}

/** Every settlement of every market, with the moment from which it was known. */
export class SettlementHistory {
  readonly #source: HistorySource;
  readonly #onResult: (id: number, won: boolean) => void;
  readonly #markets = new Map<string, IndexedMarket>();
  /** All settlements, by the moment from which they were known. */
  readonly #known: { readonly at: EpochMs; readonly market: IndexedMarket }[] = [];
  #seq = 0;
  #isFilled = false;

  /** `onResult` hears what became of alerts, again after a correction. */
  constructor(source: HistorySource, onResult: (id: number, won: boolean) => void) {
    this.#source = source;
    this.#onResult = onResult;
  }

  /** The last settlement that was read. */
  get seq(): number {
    return this.#seq;
  }

  market(id: string): IndexedMarket | null {
    return this.#markets.get(id) ?? null;
  }

  /** The market with this id, which is made where it is new. */
  marketNamed(id: string): IndexedMarket {
    const known = this.#markets.get(id);
    if (known !== undefined) return known;
    const market: IndexedMarket = { id, alertIds: [], replaced: [], current: null };
    this.#markets.set(id, market);
    return market;
  }

  /** The settled markets, the last one first; a market comes again with each settlement that was replaced. */
  *lastSettled(): Generator<IndexedMarket> {
    for (const { market } of this.#known.toReversed()) yield market;
  }

  /** The markets whose last settlement was not known at a moment. */
  settledAfter(asOf: EpochMs): ReadonlySet<IndexedMarket> {
    return new Set(this.#known.slice(this.countUntil(asOf)).map(({ market }) => market));
  }

  /** How many settlements were known at a moment. */
  countUntil(asOf: EpochMs): number {
    return this.#known.findLastIndex(({ at }) => at <= asOf) + 1;
  }

  /** Where the settlements end now: the results up to there are those of alerts that are read from now on. */
  async end(): Promise<number> {
    return this.#isFilled ? this.#seq : this.#source.settlements.lastSeq();
  }

  /** The next settlements that are not known. */
  page(): Promise<readonly MarketSettlement[]> {
    return this.#source.settlements.after(this.#seq, PAGE);
  }

  /** Adds the settlements since the last call, which begin with `first`. The results of those up to `seqBefore` are known. */
  async read(seqBefore: number, first: readonly MarketSettlement[]): Promise<void> {
    for (let page = first; ; page = await this.page()) {
      await this.#add(page, seqBefore);
      if (page.length < PAGE) break;
      await this.#source.pause();
    }
    if (!this.#isFilled) await this.#readAllReplaced();
    this.#isFilled = true;
  }

  async #add(rows: readonly MarketSettlement[], seqBefore: number): Promise<void> {
    const changed = rows.filter(({ seq }) => seq > seqBefore).map(({ marketId }) => marketId);
    const results = changed.length === 0 ? [] : await this.#source.alerts.results(changed);
    const replaced = await Promise.all(rows.map((row) => this.#replacedBy(row)));
    // From here on without a pause, so that no walk sees a part of it.
    for (const { id, won } of results) this.#onResult(id, won);
    for (const [index, { marketId, seq, outcomes, payouts, log }] of rows.entries()) {
      const market = this.marketNamed(marketId);
      for (const former of replaced[index] ?? []) this.#keepReplaced(market, former);
      if (market.current?.at !== log.at) this.#date(market, log.at);
      market.current = { outcomes, payouts, at: log.at, sequence: log.sequence };
      this.#seq = seq;
    }
  }

  #date(market: IndexedMarket, at: EpochMs): void {
    this.#known.splice(this.countUntil(at), 0, { at, market });
  }

  #keepReplaced(market: IndexedMarket, replaced: ReplacedSettlement): void {
    if (market.current?.at !== replaced.at) this.#date(market, replaced.at);
    market.replaced.push(replaced);
  }

  /** The settlements that a new one replaced, the oldest first: several may have been written since the last read. */
  async #replacedBy({ marketId, log }: MarketSettlement): Promise<readonly ReplacedSettlement[]> {
    const current = this.market(marketId)?.current ?? null;
    // Those of before this process began are read at once.
    if (current?.sequence === log.sequence || !this.#isFilled) return [];
    const replaced = current === null ? [] : [await this.#withResults(marketId, current)];
    const between: ReplacedSettlement[] = [];
    for (let last = log.sequence; ; ) {
      const entry = await this.#source.log.lastAbout(marketSubject(marketId), last);
      if (entry === null || entry.sequence <= (current?.sequence ?? 0)) break;
      between.unshift(await this.#ofEntry(entry));
      last = entry.sequence;
    }
    return [...replaced, ...between];
  }

  /** The settlements that were replaced before this process began. */
  async #readAllReplaced(): Promise<void> {
    const { log } = this.#source;
    const upto = Number.MAX_SAFE_INTEGER;
    const sequences = await log.sequencesOf('correction', { after: 0, upto, limit: CORRECTIONS_MAX });
    const corrections = sequences.length === 0 ? [] : await log.some(sequences);
    for (const { subject, sequence, body } of corrections) {
      const entry = await log.lastAbout(subject, sequence);
      const market = this.marketNamed(settlementIn({ body }).marketId);
      if (entry !== null) this.#keepReplaced(market, await this.#ofEntry(entry));
    }
  }

  #ofEntry(entry: LogEntry): Promise<ReplacedSettlement> {
    const { marketId, outcomes, payouts } = settlementIn(entry);
    return this.#withResults(marketId, { outcomes, payouts, at: entry.at });
  }

  async #withResults(marketId: string, settlement: KnownSettlement): Promise<ReplacedSettlement> {
    const alerts = await this.#source.alerts.ofMarket(marketId, CORRECTED_MAX);
    const won = alerts.flatMap((alert) => {
      const resolution = resolutionOf(alert, settlement);
      return resolution === null ? [] : [[alert.id, resolution.won] as const];
    });
    return { ...settlement, won: new Map(won) };
  }
}

/** The settlement of a market that was known at a moment; null without one. */
export function settlementAsOf(
  { replaced, current }: IndexedMarket,
  moment: EpochMs,
): KnownSettlement | null {
  if (current !== null && current.at <= moment) return current;
  return replaced.findLast(({ at }) => at <= moment) ?? null;
}
