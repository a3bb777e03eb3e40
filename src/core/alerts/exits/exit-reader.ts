import type { EpochMs } from '../../base/time/duration.ts';
import { EXIT_LEVELS } from '../../detection/found-exit.ts';
import type { StoredCoverage } from '../../trades/coverage/stored-coverage.ts';
import type { Alert } from '../alert.ts';
import type { AlertStore } from '../alert-store.ts';
import { type Bet, betOf } from '../bet.ts';
import { newestOfThreads, threadKeys } from '../ledger/thread.ts';
import type { LogStore } from '../log/log-store.ts';
import type { NumberedEvents } from '../numbered-events.ts';
import type { SettlementStore } from '../settlement.ts';
import type { Exit, ExitFilter, ExitStore } from './exit.ts';

/** How far the position of a thread is known to have been left. `unknown`: it may have been left without being noticed. */
export const EXIT_STATES = ['none', ...EXIT_LEVELS, 'unknown'] as const;
export type ExitState = (typeof EXIT_STATES)[number];

/** What became of the position of a thread. */
export interface ThreadExits {
  readonly state: ExitState;
  /** All exits of the thread, ascending: the last one is at its lowest level. */
  readonly exits: readonly Exit[];
}

interface ReaderOptions {
  readonly exits: ExitStore;
  readonly alerts: Pick<AlertStore, 'byId' | 'threads'>;
  readonly settlements: Pick<SettlementStore, 'get'>;
  readonly log: Pick<LogStore, 'sequencesOf'>;
  readonly coverage: Pick<StoredCoverage, 'windows'>;
}

/** Number of blind windows that are looked at, newest first. */
const WINDOWS_READ = 1_000;
const ALL = Number.MAX_SAFE_INTEGER;

/** Reads exits, and what they say about a thread. Throws what the stores throw. */
export class ExitReader implements NumberedEvents<Exit> {
  readonly #options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** The largest number that was created until then; 0 when there is none. */
  async last(until?: EpochMs): Promise<number> {
    return (await this.#options.exits.last(until))?.number ?? 0;
  }

  async one(number: number, until: EpochMs = Number.POSITIVE_INFINITY): Promise<Exit | null> {
    const [exit] = await this.#options.exits.after(number - 1, 1, { until });
    return exit?.number === number ? exit : null;
  }

  after(number: number, limit: number, filter?: ExitFilter): Promise<readonly Exit[]> {
    return this.#options.exits.after(number, limit, filter);
  }

  /** By the newest alert that the thread had then. Nobody wants an exit from the history. */
  async concerned<Recipient>(
    { isHistory, alertIds }: Exit,
    recipients: readonly Recipient[],
    wants: (recipient: Recipient, alert: Alert) => boolean,
  ): Promise<readonly Recipient[]> {
    const alert = isHistory ? null : await this.#options.alerts.byId(alertIds.at(-1) ?? 0);
    return alert === null ? [] : recipients.filter((recipient) => wants(recipient, alert));
  }

  /**
   * What became of the position of each alert in a list: its last exit, keyed by the id of the newest alert of the thread
   * in the list. Exits that were created after `until` do not exist.
   */
  async ofList(alerts: readonly Alert[], until: EpochMs): Promise<ReadonlyMap<number, Exit>> {
    const newest = new Map(newestOfThreads(alerts).map(({ threadId, id }) => [threadId, id]));
    const last = await this.ofThreads([...newest.keys()], until);
    return new Map(Array.from(last, ([threadId, exit]) => [newest.get(threadId) as number, exit]));
  }

  /** The last exit of each thread, keyed by the first alert of the thread. */
  async ofThreads(threadIds: readonly number[], until: EpochMs): Promise<ReadonlyMap<number, Exit>> {
    const exits = threadIds.length === 0 ? [] : await this.#options.exits.ofThreads(threadIds, until);
    return new Map(exits.map((exit) => [exit.threadId, exit]));
  }

  /** The bet of each alert as of the newest alert and the last exit of its thread that were created until then, by the alert's id. */
  async bets(alerts: readonly Alert[], until: EpochMs): Promise<ReadonlyMap<number, Bet>> {
    const [newest, exits] = await Promise.all([
      this.newestOf(alerts, until),
      this.ofThreads([...new Set(alerts.map(({ threadId }) => threadId))], until),
    ]);
    const bets = alerts.map((alert, index) => {
      const stated = { ...(newest[index] ?? alert), resolution: alert.resolution };
      return [alert.id, betOf(stated, exits.get(alert.threadId) ?? null)] as const;
    });
    return new Map(bets);
  }

  /**
   * What became of an alert's position, with the exits that were created until then. Without an exit it is `none` only where all
   * trades of the position were seen: until the market was settled, or until now. It is `unknown`
   *
   * - if the newest alert of the thread did not know its position (`AlertDetails.isPositionKnown`);
   * - if the log says since the first alert of the thread that positions were lost (`positions_lost`);
   * - if a time since then was not seen, and its trades were not read later (`BlindWindow.backfilledAt`).
   */
  async ofAlert(alert: Alert, until: EpochMs): Promise<ThreadExits> {
    const exits = await this.#options.exits.ofThreads([alert.threadId], until);
    const state = exits.at(-1)?.level ?? ((await this.#isKnown(alert, until)) ? 'none' : 'unknown');
    return { state, exits };
  }

  async #isKnown(alert: Alert, until: EpochMs): Promise<boolean> {
    const { alerts, settlements, log, coverage } = this.#options;
    const [first, newest, settled] = await Promise.all([
      alert.supersedes === null ? alert : alerts.byId(alert.threadId),
      this.newestOf([alert], until).then(([found]) => found as Alert),
      settlements.get(alert.marketId),
    ]);
    if (first === null || !newest.details.isPositionKnown) return false;
    const settlement = settled?.log;
    const [lost, windows] = await Promise.all([
      log.sequencesOf('positions_lost', {
        after: first.log.sequence,
        upto: settlement?.sequence ?? ALL,
        limit: 1,
      }),
      coverage.windows({
        since: first.tradedAt,
        until: Math.min(settlement?.at ?? ALL, until),
        limit: WINDOWS_READ,
      }),
    ]);
    return lost.length === 0 && windows.every(({ backfilledAt }) => backfilledAt !== null);
  }

  /** The newest alert of the thread of each, of those created until then: it states the bet. */
  async newestOf(alerts: readonly Alert[], until: EpochMs): Promise<readonly Alert[]> {
    const stored = this.#options.alerts;
    const keys = alerts.map(threadKeys);
    const known = new Map(alerts.map((alert) => [alert.id, alert]));
    const entries = keys.length === 0 ? [] : await stored.threads([...new Set(keys.flat())]);
    const visible = entries.filter(({ createdAt }) => createdAt <= until);
    const newest = alerts.map(async (alert, index) => {
      const id = visible.findLast(({ thread }) => keys[index]?.includes(thread))?.id ?? alert.id;
      return known.get(id) ?? (await stored.byId(id)) ?? alert;
    });
    return Promise.all(newest);
  }
}
