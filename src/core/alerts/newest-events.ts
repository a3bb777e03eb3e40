import type { EpochMs } from '../base/time/duration.ts';
import type { Alert } from './alert.ts';
import type { AlertFilter, AlertStore, MarketMatches } from './alert-store.ts';
import type { Exit } from './exits/exit.ts';
import type { ExitReader } from './exits/exit-reader.ts';
import { newestAlertOf } from './exits/exits.ts';
import type { MarketSettlement } from './settlement.ts';
import type { SettlementReader } from './settlements/settlement-reader.ts';

/** What was published, and when. */
export type PublishedEvent = { readonly at: EpochMs } & (
  | {
      readonly kind: 'alert';
      readonly alert: Alert;
      /** The last exit of its position; null without one, and where exits are events of their own. */
      readonly exit: Exit | null;
    }
  | { readonly kind: 'exit'; readonly exit: Exit }
  | {
      readonly kind: 'outcome';
      /** Number of the outcome, or of the correction that replaced it. */
      readonly number: number;
      readonly settlement: MarketSettlement;
      readonly matches: MarketMatches;
      /** The newest of the matches. */
      readonly alert: Alert;
      /** The last exit of its position; null without one. */
      readonly exit: Exit | null;
    }
);
type PublishedKind = PublishedEvent['kind'];
/** Without what is read only for those that are shown. */
type Found =
  | Exclude<PublishedEvent, { kind: 'outcome' }>
  | Omit<Extract<PublishedEvent, { kind: 'outcome' }>, 'alert' | 'exit'>;

/** How many of the newest exits, and outcomes of markets with alerts, are searched for those that pass a filter. */
export const SEARCHED_EVENTS = 500;

interface Options {
  readonly alerts: Pick<AlertStore, 'search' | 'matching' | 'byId' | 'settledMarkets'>;
  readonly exits: Pick<ExitReader, 'last' | 'after' | 'ofList'>;
  readonly sequence: SettlementReader['sequence'];
}

interface Asked {
  readonly kinds: readonly PublishedKind[];
  /** Neither alerts nor exits that were created later. */
  readonly until: EpochMs;
  /** No outcomes after this entry of the log. */
  readonly uptoSequence: number;
  readonly limit: number;
}

/** Reads alerts, outcomes and exits as one list. Throws what the stores throw. */
export class NewestEvents {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * The newest events of these kinds that pass the filter, newest first: alerts that match; outcomes of markets with a matching
   * alert; exits for which the thread's newest alert at that time matches.
   * Outcomes and exits are searched among the newest `SEARCHED_EVENTS` of each.
   */
  async read(filter: AlertFilter, asked: Asked): Promise<readonly PublishedEvent[]> {
    const { kinds, limit } = asked;
    const [alerts, exits, settlements] = await Promise.all([
      kinds.includes('alert') ? this.#alerts(filter, asked) : [],
      kinds.includes('exit') ? this.#exits(asked) : [],
      kinds.includes('outcome') ? this.#settlements(asked) : [],
    ]);
    const events = await this.#wanted(filter, exits, settlements);
    const newest = [...alerts, ...events].toSorted((one, other) => other.at - one.at).slice(0, limit);
    return (await Promise.all(newest.map((event) => this.#whole(event, asked.until)))).flat();
  }

  async #alerts(filter: AlertFilter, { kinds, until, limit }: Asked): Promise<readonly PublishedEvent[]> {
    const { alerts, exits } = this.#options;
    const found = (await alerts.search(filter, { page: 1, pageSize: limit })).alerts;
    const left = kinds.includes('exit') ? null : await exits.ofList(found, until);
    return found.map((alert) => ({
      kind: 'alert',
      at: alert.createdAt,
      alert,
      exit: left?.get(alert.id) ?? null,
    }));
  }

  async #exits({ until }: Asked): Promise<readonly Exit[]> {
    const { exits } = this.#options;
    const last = await exits.last(until);
    return exits.after(Math.max(0, last - SEARCHED_EVENTS), SEARCHED_EVENTS, { until });
  }

  async #settlements({ until, uptoSequence }: Asked): Promise<readonly MarketSettlement[]> {
    const { alerts, sequence } = this.#options;
    const found = await alerts.settledMarkets(until, SEARCHED_EVENTS);
    await sequence.refresh();
    return found.filter(({ log }) => log.seq <= uptoSequence);
  }

  async #wanted(
    filter: AlertFilter,
    exits: readonly Exit[],
    settlements: readonly MarketSettlement[],
  ): Promise<readonly Found[]> {
    if (exits.length + settlements.length === 0) return [];
    const { alerts } = this.#options;
    const [{ ids }, { markets }] = await Promise.all([
      alerts.matching(filter, { ids: exits.map(newestAlertOf), marketIds: [] }),
      alerts.matching(
        { ...filter, isPerBet: true },
        { ids: [], marketIds: settlements.map(({ marketId }) => marketId) },
      ),
    ]);
    const byMarket = new Map(settlements.map((settlement) => [settlement.marketId, settlement]));
    const outcomes = markets.flatMap((matches) => {
      const settlement = byMarket.get(matches.marketId);
      if (settlement === undefined) return [];
      const { at, log } = settlement;
      const number = this.#options.sequence.upTo(log.seq);
      return [{ kind: 'outcome', at, number, settlement, matches } as const];
    });
    return [...exitEvents(exits, new Set(ids)), ...outcomes];
  }

  async #whole(event: Found, until: EpochMs): Promise<readonly PublishedEvent[]> {
    if (event.kind !== 'outcome') return [event];
    const { alerts, exits } = this.#options;
    const alert = await alerts.byId(event.matches.newest);
    if (alert === null) return [];
    const exit = (await exits.ofList([alert], until)).get(alert.id) ?? null;
    return [{ ...event, alert, exit }];
  }
}

function exitEvents(exits: readonly Exit[], wanted: ReadonlySet<number>): readonly Found[] {
  return exits
    .filter((exit) => wanted.has(newestAlertOf(exit)))
    .toReversed()
    .map((exit) => ({ kind: 'exit', at: exit.createdAt, exit }));
}
