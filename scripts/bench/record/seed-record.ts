import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { Lease } from '../../../src/core/base/lease/lease.ts';
import { seededRandom } from '../../../src/core/base/seeded-random.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { HOUR_MS, SECOND_MS, startOfHour } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import { MICROS } from '../../../src/core/detection/order.ts';
import { hourText } from '../../../src/core/record/observations/hour-text.ts';
import type {
  ObservedHour,
  ObservedMarket,
} from '../../../src/core/record/observations/observation-store.ts';
import type { OrderRow } from '../../../src/core/record/observations/order-segment.ts';
import { sha256 } from '../../../src/infra/secrets/sha256.ts';
import { progress } from '../progress.ts';
import { sampleAlert } from '../sample-alerts.ts';

export const EVENTS = 1_000;
export const ALERTS_EACH = 5;
/** Five times as dense as the midterms of 2022 by the minute. */
const ORDERS_AN_HOUR = 12;
const START = Date.UTC(2027, 0, 2);
const EVENT_EVERY_MS = 6 * HOUR_MS;
const BATCH = 200;
const LARGE_SHARE = 0.04;

interface SeededMarket {
  readonly market: ObservedMarket;
  readonly hours: readonly ObservedHour[];
  readonly alerts: readonly Omit<Alert, 'id'>[];
}

/** Fills an empty database with events of one market each, settled and not closed, and states that a source has observed all of it. */
export async function seedRecord(database: Database): Promise<void> {
  const { ingest, observations, resolutions, alerts } = database;
  const lease = await ingest.acquire({ owner: 'bench', now: 0, ttlMs: 1, isGone: () => true });
  if (lease === null) throw new Error('the lease is held');
  const published: Omit<Alert, 'id'>[] = [];
  let last = START;
  for (let event = 0; event < EVENTS; event += 1) {
    const { market, hours, alerts: own } = seededMarket(event);
    await observations.write(lease, { markets: [market], hours: [] });
    for (let at = 0; at < hours.length; at += BATCH)
      await observations.write(lease, { markets: [], hours: hours.slice(at, at + BATCH) });
    const payouts = event % 2 === 0 ? [1, 0] : [0, 1];
    const { marketId, settledAt } = market;
    await resolutions.put({
      marketId,
      seq: event + 1,
      outcomes: ['Yes', 'No'],
      payouts,
      resolved: own.length,
      won: 0,
    });
    published.push(...own);
    last = Math.max(last, settledAt ?? 0);
    if (event % BATCH === 0) progress(`${event} of ${EVENTS} events`);
  }
  const inOrder = published.toSorted((a, b) => a.createdAt - b.createdAt);
  for (const [index, alert] of inOrder.entries())
    await alerts.append({ ...alert, id: index + 1, threadId: index + 1 });
  await stateProgress(database, lease, last + HOUR_MS);
}

/** Closes all markets, as an observer does a day after the settlement. */
export async function closeMarkets({ ingest, observations }: Database): Promise<void> {
  const lease = await ingest.acquire({ owner: 'bench', now: 0, ttlMs: 1, isGone: () => true });
  if (lease === null) throw new Error('the lease is held');
  let after = '';
  for (;;) {
    const markets = await observations.markets({ after, limit: BATCH });
    await observations.write(lease, {
      markets: markets.map((market) => ({ ...market, isOpen: false })),
      hours: [],
    });
    if (markets.length < BATCH) return;
    after = markets.at(-1)?.marketId ?? '';
  }
}

async function stateProgress({ ingest }: Database, lease: Lease, time: EpochMs): Promise<void> {
  const checkpoint = { offset: 0, identity: 'bench', mapping: null, time };
  await ingest.writeSnapshot(lease, { source: 'polymarket', checkpoint, sets: null });
}

function seededMarket(event: number): SeededMarket {
  const random = seededRandom(event + 1);
  const marketId = `0x${sha256(`market ${event}`)}`;
  const first = START + event * EVENT_EVERY_MS;
  const traded = Array.from(
    { length: ALERTS_EACH },
    (_, index) => first + index * 5 * HOUR_MS + 7 * SECOND_MS,
  );
  const span = {
    from: startOfHour(first - 24 * HOUR_MS),
    until: startOfHour((traded.at(-1) as EpochMs) + 49 * HOUR_MS),
  };
  const prices = walk(span.from, random);
  const alerts = traded.map((at, index) => alertAt(at, prices(at), { event, index, marketId }));
  const hours: ObservedHour[] = [];
  for (let hour = span.from; hour < span.until; hour += HOUR_MS) {
    const own = alerts.filter(({ tradedAt }) => startOfHour(tradedAt) === hour);
    const orders = [...ordersOf(hour, prices, random), ...own.map(orderOf)].toSorted((a, b) => a.at - b.at);
    const text = hourText(orders, { hour, isByMinute: true, isMirrored: false, from: 0 });
    hours.push({ marketId, hour, text });
  }
  const market: ObservedMarket = {
    ...{ marketId, baseAsset: `${event}1`, baseOutcome: 'Yes', baseOutcomeIndex: 0, otherAsset: `${event}2` },
    ...{ question: `Will event ${event} happen?`, slug: `event-${event}`, eventSlug: `event-${event}` },
    ...{ eventTitle: `Event ${event}`, category: 'politics', tags: [`tag-${event % 40}`], feeRate: 0.04 },
    ...{ completeFrom: 0, spans: [span], settledAt: span.until, endsAt: span.until, isOpen: true },
    alerts: alerts.map(({ key, tradedAt, detectedAt }) => ({ key, tradedAt, detectedAt })),
  };
  return { market, hours, alerts };
}

/** A price of each minute: a random walk between 0.05 and 0.9. */
function walk(from: EpochMs, random: () => number): (at: EpochMs) => number {
  const steps = [0.2 + random() * 0.5];
  return (at) => {
    const minute = Math.floor((at - from) / (60 * SECOND_MS));
    while (steps.length <= minute) {
      const next = (steps.at(-1) as number) + (random() - 0.5) * 0.006;
      steps.push(Math.min(0.9, Math.max(0.05, next)));
    }
    return steps[minute] as number;
  };
}

function ordersOf(hour: EpochMs, prices: (at: EpochMs) => number, random: () => number): OrderRow[] {
  const count = Math.round(ORDERS_AN_HOUR * 2 * random());
  return Array.from({ length: count }, () => {
    const at = hour + Math.floor(random() * 3_600) * SECOND_MS;
    const isOther = random() < 0.3;
    const isSale = random() < 0.35;
    const price = isOther ? 1 - prices(at) : prices(at);
    const isLarge = !isSale && random() < LARGE_SHARE;
    const usdc = isLarge ? 250 / (1 - random()) : 12 * Math.exp(2 * (random() - 0.5));
    const wallet = `0x${Math.floor(random() * 1e9)
      .toString(16)
      .padStart(40, '0')}`;
    const largeBuy = isLarge ? { wallet, ageClass: 'not_fresh' as const } : null;
    const shares = Math.round((usdc / price) * MICROS);
    return { at, isOther, isSale, role: null, usdc: Math.round(usdc * MICROS), shares, largeBuy };
  });
}

function orderOf({ tradedAt: at, usdc, shares, wallet }: Omit<Alert, 'id'>): OrderRow {
  const largeBuy = { wallet, ageClass: 'fresh' as const };
  return {
    ...{ at, isOther: false, isSale: false, role: null, largeBuy },
    usdc: Math.round(usdc * MICROS),
    shares: Math.round(shares * MICROS),
  };
}

function alertAt(
  tradedAt: EpochMs,
  price: number,
  { event, index, marketId }: { event: number; index: number; marketId: string },
): Omit<Alert, 'id'> {
  const number = event * ALERTS_EACH + index + 1;
  const published = tradedAt + 5 * SECOND_MS;
  const entryPrice = Math.round(price * 1e6) / 1e6;
  const sample = sampleAlert(number);
  return {
    ...sample,
    ...{ marketId, tradedAt, entryPrice, side: 'BUY', outcome: 'Yes', outcomeIndex: 0, resolution: null },
    ...{ detectedAt: published, publishedAt: published, createdAt: published },
    key: `w:bench:${number}`,
    wallet: `0x${sha256(`wallet ${number}`).slice(0, 40)}`,
    shares: sample.usdc / entryPrice,
    details: { ...sample.details, ruleVersion: '3' },
    log: { sequence: number, hash: sha256(`entry ${number}`) },
  };
}
