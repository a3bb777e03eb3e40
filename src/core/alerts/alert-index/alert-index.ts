import type { EpochMs } from '../../base/time/duration.ts';
import type { Alert, WithdrawalMark } from '../alert.ts';
import { alertOfEntry } from '../alert-entry.ts';
import { exitOfEntry } from '../exits/exit.ts';
import { isOfThread, type ThreadSubject } from '../ledger/thread.ts';
import { EMPTY_LOG, type LogEntry, type LogHead } from '../log/log-entry.ts';
import type { LogStore } from '../log/log-store.ts';
import { type MarketSettlement, resolutionOf, type Settlement, settlementOfEntry } from '../settlement.ts';
import { type Withdrawal, withdrawalOfEntry } from '../withdrawal.ts';
import { ExitHistory } from './exit-history.ts';
import { Columns, type Kind, type Outcome } from './facets.ts';
import { type IndexedMarket, SettlementHistory, settlementAsOf } from './settlement-history.ts';

/** Entries of the log in one read: some milliseconds. */
const PAGE = 500;

/** The newest entry that is known, and its time; null for the empty log. */
export interface DatedHead extends LogHead {
  readonly at: EpochMs | null;
}

/** The head of the empty log. */
export const EMPTY_HEAD: DatedHead = { ...EMPTY_LOG, at: null };

/** What the index is filled from. */
export interface IndexSource {
  readonly log: Pick<LogStore, 'after'>;
  /** Lets other work run between two pages. */
  readonly pause: () => Promise<unknown>;
}

/** The texts of a market under one question and slug, which many alerts share. */
export interface Listing {
  readonly market: IndexedMarket;
  /** In lower case. */
  readonly marketId: string;
  readonly title: string;
  readonly slug: string;
}

/**
 * The facets of all alerts, their exits and the settlements of all markets, in the memory of each process that reads. `refresh` brings it up to
 * the end of the log; everything else is synchronous.
 */
export class AlertIndex {
  readonly columns = new Columns();
  readonly listings: Listing[] = [];
  readonly kinds: Kind[] = [];
  readonly outcomes: Outcome[] = [];
  readonly settlements: SettlementHistory;
  readonly exits = new ExitHistory();
  /** The entries from which on nothing is claimed about the positions of earlier alerts. */
  readonly positionsLost: number[] = [];
  /** All wallets with alerts of their own, with the ids of these, ascending. */
  readonly wallets = new Map<string, readonly number[]>();
  /** All members of clusters, with the ids of these, ascending. */
  readonly members = new Map<string, readonly number[]>();
  readonly #withdrawn = new Map<number, WithdrawalMark>();
  readonly #source: IndexSource;
  readonly #kindNumbers = new Map<string, number>();
  readonly #outcomeNumbers = new Map<string, number>();
  #head = EMPTY_HEAD;
  #isFollowing = false;
  #scratch = new Uint32Array(0);
  #reading: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(source: IndexSource) {
    this.#source = source;
    this.settlements = new SettlementHistory(({ alertIds }, settlement) => {
      for (const id of alertIds) this.columns.setWon(id, this.wonBy(id, settlement));
    });
  }

  /** The last entry of the log that was read. */
  get head(): DatedHead {
    return this.#head;
  }

  /**
   * Reads what was written since, for the loop that does so all the time. Other reads rely on it until it fails, or until `unfollow`:
   * they lack what other processes have written since the last call.
   */
  async follow(): Promise<void> {
    try {
      await this.refresh();
      this.#isFollowing = true;
    } catch (error) {
      this.#isFollowing = false;
      throw error;
    }
  }

  /** Every read looks at the log again. */
  unfollow(): void {
    this.#isFollowing = false;
  }

  /** Before a read: reads what was written since, unless the log is followed. */
  async upToDate(): Promise<void> {
    if (!this.#isFollowing) await this.refresh();
  }

  /**
   * Reads what was written since. Calls share a read that begins after them; all of them get what the store throws, also those that
   * waited for it to end.
   */
  refresh(): Promise<void> {
    this.#next ??= this.#readNext();
    return this.#next;
  }

  async #readNext(): Promise<void> {
    try {
      await this.#reading;
    } finally {
      this.#next = null;
    }
    this.#reading = this.#read();
    try {
      await this.#reading;
    } catch (error) {
      this.#reading = Promise.resolve();
      throw error;
    }
  }

  /** Room for so many ids, which the next call gives again: an array for each walk would keep the garbage collector busy. */
  scratch(length: number): Uint32Array {
    if (this.#scratch.length < length) this.#scratch = new Uint32Array(Math.ceil(1.2 * length));
    return this.#scratch;
  }

  marketOf(id: number): IndexedMarket {
    return (this.listings[this.columns.listings[id - 1] as number] as Listing).market;
  }

  /** The alert as it was known at a moment: its result, and whether it was withdrawn. */
  asOf(alert: Alert, moment: EpochMs): Alert {
    const mark = this.#withdrawn.get(alert.id);
    const withdrawn = mark !== undefined && mark.at <= moment ? mark : null;
    const market = this.settlements.market(alert.marketId);
    const settlement = market && settlementAsOf(market, moment);
    const resolution = settlement && resolutionOf(alert, settlement);
    return { ...alert, resolution, withdrawn };
  }

  /** Whether a settlement of its market proves an alert right; null where that does not name its outcome. */
  wonBy(id: number, settlement: Settlement): boolean | null {
    const { shares, entryPrices } = this.columns;
    const { side } = this.#kind(id);
    const order = { side, shares: shares[id - 1] as number, entryPrice: entryPrices[id - 1] as number };
    return resolutionOf({ ...order, ...this.#outcome(id) }, settlement)?.won ?? null;
  }

  /** The ids of all alerts of a thread, ascending. */
  thread(subject: ThreadSubject): readonly number[] {
    const { type, wallet, marketId } = subject;
    const ids = type === 'cluster' ? this.settlements.market(marketId)?.alertIds : this.wallets.get(wallet);
    const isOfIt = (id: number) => {
      const market = { marketId: this.marketOf(id).id, wallet };
      return isOfThread({ ...this.#kind(id), ...this.#outcome(id), ...market }, subject);
    };
    return (ids ?? []).filter(isOfIt);
  }

  /** The newest alert of the thread of one, of those created until then. */
  newestOfThread(id: number, until: EpochMs): number {
    const { next, createdAt } = this.columns;
    const following = next[id - 1] ?? 0;
    const isVisible = following > 0 && (createdAt[following - 1] as number) <= until;
    return isVisible ? this.newestOfThread(following, until) : id;
  }

  /** Adds entries that this process has written, in order; reads the log where another process has written between them. */
  async add(entries: readonly LogEntry[]): Promise<void> {
    for (const entry of entries) if (entry.seq === this.#head.seq + 1) this.#add(entry);
    if (this.#head.seq < (entries.at(-1)?.seq ?? 0)) await this.refresh();
  }

  async #read(): Promise<void> {
    const { log, pause } = this.#source;
    for (let isMore = true; isMore; ) {
      const page = await log.after(this.#head.seq, PAGE);
      // Those that were added meanwhile are known.
      for (const entry of page) if (entry.seq > this.#head.seq) this.#add(entry);
      isMore = page.length === PAGE;
      if (isMore) await pause();
    }
  }

  #add(entry: LogEntry): void {
    if (entry.kind === 'alert') this.#addAlert(alertOfEntry(entry));
    else if (entry.kind === 'exit') this.exits.add(exitOfEntry(entry));
    else if (entry.kind === 'withdrawal') this.#withdraw(withdrawalOfEntry(entry));
    else if (entry.kind === 'rules') this.positionsLost.push(entry.seq);
    else this.#settle(settlementOfEntry(entry, this.settlements.all.length + 1));
    // One that could not be added is met again.
    const { seq, hash, at } = entry;
    this.#head = { seq, hash, at };
  }

  #settle(settlement: MarketSettlement | null): void {
    if (settlement !== null) this.settlements.add(settlement);
  }

  /** An earlier mark stays. */
  #withdraw({ alertId, ...mark }: Withdrawal): void {
    if (!this.#withdrawn.has(alertId)) this.#withdrawn.set(alertId, mark);
  }

  #addAlert(alert: Alert): void {
    const { id, wallet, marketEvent, details } = alert;
    const listing = this.#listingOf(alert);
    this.columns.add(alert, { listing, kind: this.#kindOf(alert), outcome: this.#outcomeOf(alert) });
    const market = this.marketOf(id);
    market.alertIds.push(id);
    market.event = marketEvent ?? market.event;
    const current = market.settlements.at(-1);
    if (current !== undefined) this.columns.setWon(id, this.wonBy(id, current));
    addTo(this.wallets, wallet, id);
    for (const member of new Set(details.wallets)) addTo(this.members, member, id);
  }

  #kind(id: number): Kind {
    return this.kinds[this.columns.kinds[id - 1] as number] as Kind;
  }

  #outcome(id: number): Outcome {
    return this.outcomes[this.columns.outcomes[id - 1] as number] as Outcome;
  }

  #listingOf({ marketId, eventTitle, eventSlug }: Alert): number {
    const market = this.settlements.marketNamed(marketId);
    const [title, slug] = [eventTitle.toLowerCase(), eventSlug.toLowerCase()];
    const isIt = (number: number) =>
      this.listings[number]?.title === title && this.listings[number].slug === slug;
    const known = market.listings.find(isIt);
    if (known !== undefined) return known;
    market.listings.push(this.listings.length);
    return this.listings.push({ market, marketId: marketId.toLowerCase(), title, slug }) - 1;
  }

  #kindOf({ category, side, type }: Alert): number {
    const number = numberOf(this.#kindNumbers, `${category} ${side} ${type}`);
    if (number === this.kinds.length) this.kinds.push({ category, side, type });
    return number;
  }

  #outcomeOf({ outcome, outcomeIndex }: Alert): number {
    const number = numberOf(this.#outcomeNumbers, `${outcomeIndex} ${outcome}`);
    if (number === this.outcomes.length) this.outcomes.push({ outcome, outcomeIndex });
    return number;
  }
}

/** Numbers from 0, in the order of the first use. */
function numberOf(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

function addTo(lists: Map<string, readonly number[]>, name: string, id: number): void {
  // An array that is pushed to has room for 17 ids, and most wallets have few alerts.
  lists.set(name, lists.get(name)?.concat(id) ?? [id]);
}
