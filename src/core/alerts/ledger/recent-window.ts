import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Alert } from '../alert.ts';
import type { AlertIndex } from '../alert-index/alert-index.ts';
import type { AlertStore } from '../alert-store.ts';
import { type Bet, betOf } from '../bet.ts';
import type { Exit } from '../exits/exit.ts';
import type { ExitReader } from '../exits/exit-reader.ts';
import type { Exits } from '../exits/exits.ts';
import { visibleUntil } from '../free-delay.ts';
import type { Feed } from './feed.ts';

interface RecentWindowOptions<Answer> {
  readonly alerts: Pick<AlertStore, 'latest'>;
  /** The results of the alerts. */
  readonly index: Pick<AlertIndex, 'settlements' | 'asOf'>;
  /** Brings the index up to what the database has. Never rejects. */
  readonly refresh: () => Promise<unknown>;
  readonly exits: Pick<ExitReader, 'bets'> & Pick<Exits, 'ofThreads'>;
  readonly feed: Pick<Feed, 'subscribe' | 'onSettlement'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Alerts held: enough for the largest answer and for those younger than the free delay. The store serves the rest. */
  readonly capacity: number;
  readonly freeDelayMs: number;
  readonly serialise: (alert: Alert, bet: Bet) => string;
  /** `oldest`: the id of the last alert of the array; null if it is empty. */
  readonly encode: (json: string, oldest: number | null) => Answer;
}

interface Entry {
  readonly alert: Alert;
  /** By the newest alert, the last exit of the thread and the result that its reader may see. */
  readonly texts: Map<string, string>;
}

/** Every limit, for real-time callers and for a few ages of the free delay. */
const ANSWERS_MAX = 200;

/**
 * The newest alerts, each with its JSON text, in memory. An answer is kept until an alert is added, resolved or sold: building it
 * for each request took twice the processor time (10 alerts).
 */
export class RecentWindow<Answer extends object> {
  readonly #options: RecentWindowOptions<Answer>;
  #entries: Entry[] = [];
  /** Exits of the entries' threads, ascending. */
  #exits: readonly Exit[] = [];
  /** Whether the window holds all existing alerts. */
  #isWhole = false;
  readonly #answers = new LRUCache<string, Answer>({ max: ANSWERS_MAX });
  readonly #unsubscribe: (() => void)[] = [];

  constructor(options: RecentWindowOptions<Answer>) {
    this.#options = options;
  }

  /** Reads the newest alerts, then follows the feed. Until then the window is empty. */
  async open(): Promise<void> {
    const { alerts, exits, feed, capacity, refresh } = this.#options;
    this.#unsubscribe.push(feed.onSettlement(() => void refresh()));
    await refresh();
    const newestFirst = await alerts.latest({ limit: capacity });
    this.#isWhole = newestFirst.length < capacity;
    this.#add(newestFirst.toReversed());
    const known = await exits.ofThreads([...new Set(newestFirst.map(({ threadId }) => threadId))]);
    this.#exits = known.toSorted((a, b) => a.number - b.number);
    this.#unsubscribe.push(feed.subscribe(newestFirst[0]?.id ?? 0, (newer) => this.#add(newer)));
  }

  /** Must be called with each exit from the opening on. */
  addExit(exit: Exit): void {
    if ((this.#exits.at(-1)?.number ?? 0) >= exit.number) return;
    this.#answers.clear();
    this.#exits = [...this.#exits, exit].slice(-this.#options.capacity);
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
  }

  /** The answer of a JSON array, newest first. Without `isRealtime` it leaves out alerts younger than the free delay. */
  read({ limit, isRealtime }: { limit: number; isRealtime: boolean }): Answer | Promise<Answer> {
    const { clock, index } = this.#options;
    const { settlements } = index;
    const until = visibleUntil({ isRealtime }, this.#options);
    // `createdAt` never decreases with the id, and few alerts are younger than the free delay.
    const visible = this.#entries.findLastIndex(({ alert }) => isRealtime || alert.createdAt <= until) + 1;
    if (visible < limit && !this.#isWhole) return this.#fromStore(limit, Math.min(until, clock.now()));
    const sold = this.#exits.findLastIndex(({ createdAt }) => createdAt <= until) + 1;
    const name = `${visible} ${sold} ${settlements.seq} ${settlements.countUntil(until)} ${limit}`;
    const known = this.#answers.get(name);
    if (known !== undefined) return known;
    const shown = this.#entries.slice(Math.max(0, visible - limit), visible);
    // Only the store learns the event of a market after its alert.
    if (shown.some(({ alert }) => alert.marketEvent === null))
      return this.#fromStore(limit, Math.min(until, clock.now()));
    const answer = this.#encode(shown, this.#exits.slice(0, sold), until);
    this.#answers.set(name, answer);
    return answer;
  }

  async #fromStore(limit: number, until: EpochMs): Promise<Answer> {
    const { alerts, exits, index, refresh, serialise, encode } = this.#options;
    await refresh();
    const stored = await alerts.latest({ limit, until });
    const found = stored.map((alert) => index.asOf(alert, until));
    const bets = await exits.bets(found, until);
    const texts = found.map((alert) => serialise(alert, bets.get(alert.id) ?? betOf(alert)));
    return encode(`[${texts.join(',')}]`, found.at(-1)?.id ?? null);
  }

  #encode(entries: readonly Entry[], exits: readonly Exit[], until: EpochMs): Answer {
    // The newest alert of a thread is among the newest alerts, as each of them is.
    const newest = new Map(entries.map(({ alert }) => [alert.threadId, alert]));
    const last = new Map(exits.map((exit) => [exit.threadId, exit]));
    const texts = entries
      .map((entry) => {
        const { threadId } = entry.alert;
        const known = { newest: newest.get(threadId) ?? entry.alert, exit: last.get(threadId) ?? null };
        return this.#textOf(entry, known, until);
      })
      .toReversed();
    return this.#options.encode(`[${texts.join(',')}]`, entries[0]?.alert.id ?? null);
  }

  #textOf(
    { alert: published, texts }: Entry,
    { newest, exit }: { readonly newest: Alert; readonly exit: Exit | null },
    until: EpochMs,
  ): string {
    const alert = this.#options.index.asOf(published, until);
    const name = `${newest.id} ${exit?.number ?? 0} ${alert.resolution?.payout ?? ''}`;
    const known = texts.get(name);
    if (known !== undefined) return known;
    const text = this.#options.serialise(alert, betOf({ ...newest, resolution: alert.resolution }, exit));
    texts.set(name, text);
    return text;
  }

  #add(newer: readonly Alert[]): void {
    this.#answers.clear();
    const last = this.#entries.at(-1)?.alert.id ?? 0;
    for (const alert of newer) if (alert.id > last) this.#entries.push({ alert, texts: new Map() });
    if (this.#entries.length <= this.#options.capacity) return;
    this.#entries = this.#entries.slice(-this.#options.capacity);
    this.#isWhole = false;
  }
}
