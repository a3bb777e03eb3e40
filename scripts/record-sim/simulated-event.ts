import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import { Draws } from './draws.ts';

export const HOUR_S = HOUR_MS / SECOND_MS;
export const DAY_S = DAY_MS / SECOND_MS;
export const START_S = Date.UTC(2025, 0, 6) / SECOND_MS;

/** Events begin this far apart, more or less. */
const EVENT_EVERY_S = 30 * HOUR_S;
const ALERTS_MEAN = 2.5;
const ALERTS_MOST = 12;
const ALERT_EVERY_S = 4 * HOUR_S;
const MARKETS_MOST = 3;
/** How often an alert's wallet buys again, as the same thread, instead of another wallet. */
const REPEATS = 0.15;
/** The market of an alert has the side of the event's first alert, so that the alerts of an event mostly agree. */
const AGREES = 0.8;
const TOPICS = 20;
const TOPICS_OF_EVENT = 2;
/** Controls trade up to 24 h after an alert, and the price 24 h after them is needed. */
const TRADED_BEFORE_S = 25 * HOUR_S;
const TRADED_AFTER_S = 50 * HOUR_S;

export interface PlannedAlert {
  readonly at: number;
  readonly wallet: number;
  readonly usdc: number;
}

/** A market of an event. All alerts of one market buy the same outcome: Yes is 0, No is 1. */
export interface PlannedMarket {
  readonly no: number;
  readonly outcome: 0 | 1;
  readonly alerts: readonly PlannedAlert[];
  readonly from: number;
  readonly until: number;
}

export interface PlannedEvent {
  readonly no: number;
  readonly tags: readonly string[];
  readonly markets: readonly PlannedMarket[];
  readonly settlesAt: number;
}

/** The event with this number, from 0, in the world of the seed: the same in every world but for its end. */
export function planEvent(seed: number, no: number, { isShort = false } = {}): PlannedEvent {
  const draws = new Draws(seed, no, 1);
  const first = START_S + DAY_S + Math.floor((no + draws.uniform(0, 1)) * EVENT_EVERY_S) + TRADED_BEFORE_S;
  const alerts = Math.min(draws.geometric(ALERTS_MEAN), ALERTS_MOST);
  const marketCount = Math.min(1 + draws.index(MARKETS_MOST), alerts);
  const side = draws.index(2) as 0 | 1;
  const planned: PlannedAlert[][] = Array.from({ length: marketCount }, () => []);
  let at = first;
  for (let index = 0; index < alerts; index++) {
    // Each market has one alert at least.
    const market = planned[index < marketCount ? index : draws.index(marketCount)] as PlannedAlert[];
    market.push(planAlert(draws, { at, number: no * ALERTS_MOST + index, before: market.at(-1) }));
    at += 60 + Math.floor(draws.exponential(ALERT_EVERY_S));
  }
  const markets = planned.map((of, index) => {
    const outcome = (index === 0 || draws.chance(AGREES) ? side : 1 - side) as 0 | 1;
    return planMarket(no * MARKETS_MOST + index, outcome, of);
  });
  const until = Math.max(...markets.map((market) => market.until));
  const ends = draws.uniform(2 * HOUR_S, 3 * DAY_S);
  // A short event is settled within two days of its first alert, or soon after its last.
  const settlesAt = Math.floor(isShort ? at + draws.uniform(0, 2 * DAY_S) : until + ends);
  const traded = markets.map((market) => ({ ...market, until: Math.min(market.until, settlesAt) }));
  return { no, tags: topics(draws), markets: traded, settlesAt };
}

function planAlert(
  draws: Draws,
  given: { readonly at: number; readonly number: number; readonly before: PlannedAlert | undefined },
): PlannedAlert {
  const { at, number, before } = given;
  const usdc = Math.min(1_100 * Math.exp(Math.abs(draws.normal())), 20_000);
  const isRepeat = draws.chance(REPEATS);
  if (before !== undefined && isRepeat) return { at, wallet: before.wallet, usdc: 2.1 * before.usdc };
  return { at, wallet: number, usdc };
}

function planMarket(no: number, outcome: 0 | 1, alerts: readonly PlannedAlert[]): PlannedMarket {
  const [from, until] = [alerts[0]?.at ?? 0, alerts.at(-1)?.at ?? 0];
  return { no, outcome, alerts, from: from - TRADED_BEFORE_S, until: until + TRADED_AFTER_S };
}

function topics(draws: Draws): readonly string[] {
  const first = draws.index(TOPICS);
  const others = Array.from(
    { length: TOPICS_OF_EVENT - 1 },
    () => (first + 1 + draws.index(TOPICS - 1)) % TOPICS,
  );
  return [first, ...others].map((topic) => `topic-${topic + 1}`);
}
