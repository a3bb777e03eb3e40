import type { EpochMs } from '../../base/time/duration.ts';
import { EXIT_LEVELS } from '../../detection/found-exit.ts';
import type { StoredCoverage } from '../../trades/coverage/stored-coverage.ts';
import type { Alert } from '../alert.ts';
import type { AlertIndex } from '../alert-index/alert-index.ts';
import type { AlertStore } from '../alert-store.ts';
import { type Bet, betOf } from '../bet.ts';
import { newestOfThreads } from '../ledger/thread.ts';
import type { NumberedEvents } from '../numbered-events.ts';
import type { Settlements } from '../settlements/settlements.ts';
import type { Exit, ExitFilter } from './exit.ts';
import { type Exits, newestAlertOf } from './exits.ts';

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
  readonly alertIndex: Pick<AlertIndex, 'exits' | 'refresh'>;
  readonly exits: Exits;
  readonly alerts: Pick<AlertStore, 'byId' | 'newestOfThreads'>;
  readonly settlements: Pick<Settlements, 'ofMarket'>;
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
  last(until?: EpochMs): Promise<number> {
    return this.#options.exits.last(until);
  }

  /** Also one that another process has just entered. */
  async one(number: number, until: EpochMs = Number.POSITIVE_INFINITY): Promise<Exit | null> {
    const { alertIndex: index, exits } = this.#options;
    if (number > index.exits.last()) await index.refresh();
    const [exit] = await exits.after(number - 1, 1, { until });
    return exit?.number === number ? exit : null;
  }

  after(number: number, limit: number, filter?: ExitFilter): Promise<readonly Exit[]> {
    return this.#options.exits.after(number, limit, filter);
  }

  /** By the newest alert that the thread had then. Nobody wants an exit from the history. */
  async concerned<Recipient>(
    exit: Exit,
    recipients: readonly Recipient[],
    wants: (recipient: Recipient, alert: Alert) => boolean,
  ): Promise<readonly Recipient[]> {
    const alert = exit.isHistory ? null : await this.#options.alerts.byId(newestAlertOf(exit));
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
      this.#options.alerts.newestOfThreads(alerts, until),
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
   * - if the log says since the first alert of the thread that nothing more is claimed about earlier positions (`rules`);
   * - if a time since then was not seen, and its trades were not read later (`BlindWindow.backfilledAt`).
   */
  async ofAlert(alert: Alert, until: EpochMs): Promise<ThreadExits> {
    const exits = await this.#options.exits.ofThreads([alert.threadId], until);
    const state = exits.at(-1)?.level ?? ((await this.#isKnown(alert, until)) ? 'none' : 'unknown');
    return { state, exits };
  }

  async #isKnown(alert: Alert, until: EpochMs): Promise<boolean> {
    const { alerts, exits, settlements, coverage } = this.#options;
    const [first, newest, settled] = await Promise.all([
      alert.supersedes === null ? alert : alerts.byId(alert.threadId),
      alerts.newestOfThreads([alert], until).then(([found]) => found as Alert),
      settlements.ofMarket(alert.marketId),
    ]);
    if (first === null || !newest.details.isPositionKnown) return false;
    const [isLost, windows] = await Promise.all([
      exits.isLost({ after: first.log.seq, upto: settled?.log.seq ?? ALL }),
      coverage.windows({
        since: first.tradedAt,
        until: Math.min(settled?.at ?? ALL, until),
        limit: WINDOWS_READ,
      }),
    ]);
    return !isLost && windows.every(({ backfilledAt }) => backfilledAt !== null);
  }
}
