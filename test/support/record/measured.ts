import { seededRandom } from '../../../src/core/base/random.ts';
import type { MeasuredAlert, MeasuredBuy, MeasuredMarket } from '../../../src/core/record/measured-market.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An alert of 1 January 2027, 12:00, that is measured and not settled; its parts can be given in part. */
export function measuredAlert(given: Partial<MeasuredAlert> = {}): MeasuredAlert {
  const { publishedAt = Date.UTC(2027, 0, 1, 12), id = 1 } = given;
  const unfilled = { state: 'waiting', filledAt: null, price: null, fee: null, result: null } as const;
  return {
    id,
    type: 'fresh',
    score: 70,
    category: 'politics',
    ruleVersion: '3',
    publishedAt,
    tradedAt: publishedAt,
    entryPrice: 0.4,
    usdc: 2_000,
    positionPrice: null,
    isFirst: true,
    moves: {
      reference: 0.41,
      impact: 0.01,
      drift1h: 0,
      drift24h: 0,
      state: 'measured',
      knownAt: publishedAt + DAY_MS,
      knownAt1h: publishedAt + HOUR_MS,
    },
    controls: {
      drawn: 5,
      measured: 5,
      sameOutcome: 3,
      meanUsdc: 500,
      drift1h: 0,
      drift24h: 0,
      knownAt: publishedAt + 2 * DAY_MS,
      knownAt1h: publishedAt + DAY_MS + HOUR_MS,
    },
    payout: null,
    pro: unfilled,
    free: unfilled,
    ...given,
  };
}

/** A buy of 1,000 USDC, a minute before the alert above. */
export function measuredBuy(given: Partial<MeasuredBuy> = {}): MeasuredBuy {
  const { at = Date.UTC(2027, 0, 1, 11, 59) } = given;
  const { moves } = measuredAlert({ publishedAt: at });
  const usual = {
    wallet: '0xold',
    usdc: 1_000,
    price: 0.5,
    profitAtStake: 1_000,
    payout: null,
    isFirst: true,
  };
  return { ...usual, at, moves, ...given };
}

/** A market of its own event, without tags, that states no end. */
export function measuredMarket(given: Partial<MeasuredMarket> = {}): MeasuredMarket {
  return { event: 'm1', tags: [], settledAt: null, endsAt: null, alerts: [], buys: [], ...given };
}

export interface RandomRecord {
  readonly seed: number;
  readonly events: number;
  /** Mean drift over 24 h, USDC a share. */
  readonly drift?: number;
  /** First publication, and the days over which alerts come. */
  readonly from?: number;
  readonly days?: number;
}

/** Events of one market each with 1 to 4 alerts and some buys, settled after 1 to 30 days by right prices. */
export function randomRecord({
  seed,
  events,
  drift = 0,
  from = Date.UTC(2027, 0, 2),
  days = 60,
}: RandomRecord): readonly MeasuredMarket[] {
  const random = seededRandom(seed);
  let id = 0;
  return Array.from({ length: events }, (_, index) => {
    const at = from + Math.floor((index * days * DAY_MS) / events);
    const settledAt = at + Math.floor((1 + random() * 29) * DAY_MS);
    const [chance, eventDrift] = [0.1 + 0.8 * random(), drift + 0.2 * (random() - 0.5)];
    const won = random() < chance ? 1 : 0;
    const known = { publishedAt: at, settledAt, chance, won, drift: eventDrift };
    const alerts = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
      id += 1;
      return randomAlert(id, known, random);
    });
    const buys = alerts.map(({ id: of, publishedAt }) => {
      const payout = won;
      const { moves } = alertMoves(publishedAt, 0.1 * (random() - 0.5));
      const sizes = { usdc: 1_000 + Math.floor(random() * 9_000), profitAtStake: random() * 5_000 };
      return measuredBuy({ at: publishedAt, wallet: `0xb${of}`, price: chance, payout, moves, ...sizes });
    });
    const tags = [`t${index % 7}`];
    return measuredMarket({ event: `m${index}`, tags, settledAt, endsAt: settledAt, alerts, buys });
  });
}

interface KnownEvent {
  readonly publishedAt: number;
  readonly settledAt: number;
  readonly chance: number;
  readonly won: number;
  readonly drift: number;
}

function randomAlert(id: number, event: KnownEvent, random: () => number): MeasuredAlert {
  const publishedAt = event.publishedAt + Math.floor(random() * 6 * HOUR_MS);
  const [entryPrice, fee] = [event.chance, 0.01];
  const filled = { filledAt: publishedAt + 90_000, price: entryPrice, fee };
  const follower = { ...filled, state: 'settled', result: event.won - entryPrice - fee } as const;
  const settled = { payout: event.won, pro: follower, free: follower };
  const moves = alertMoves(publishedAt, event.drift + 0.04 * (random() - 0.5));
  return measuredAlert({ id, publishedAt, entryPrice, ...settled, ...moves });
}

function alertMoves(publishedAt: number, drift24h: number) {
  const { moves, controls } = measuredAlert({ publishedAt });
  return { moves: { ...moves, drift1h: drift24h / 2, drift24h }, controls };
}
