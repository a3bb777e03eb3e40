import { describe, expect, test } from 'vitest';
import type { CardSubject } from '../../src/core/alerts/cards/card.ts';
import type { PriceChart } from '../../src/core/alerts/charts/price-chart.ts';
import { enterWithdrawal } from '../../src/core/alerts/withdrawal.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { ServerDeps } from '../../src/http/server-deps.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';
import { CARDS_MAX, Cards } from '../../src/site/cards.ts';
import { alertOf } from '../support/alerts.ts';
import { ask, FREE_DELAY_MS } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { settleMarket } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { alertAt, minute, startObserved } from './observed-site.ts';

/** Draws what names the alert and its result; `hold` lets drawings wait until `release`. */
class FakePainter {
  readonly drawn: string[] = [];
  chart: PriceChart | null = null;
  isBroken = false;
  #held: PromiseWithResolvers<void> | null = null;

  hold(): void {
    this.#held = Promise.withResolvers();
  }

  release(): void {
    this.#held?.resolve();
  }

  async draw(subject: CardSubject): Promise<Uint8Array<ArrayBuffer>> {
    this.chart = subject.chart;
    const name = nameOf(subject);
    this.drawn.push(name);
    await this.#held?.promise;
    if (this.isBroken) throw new Error('no such glyph');
    return new TextEncoder().encode(name.repeat(1_000));
  }
}

function nameOf({ alert }: CardSubject): string {
  return `${alert.id} ${alert.withdrawn !== null ? 'withdrawn' : (alert.resolution?.payout ?? 'open')}`;
}

async function startWithPainter(change: Partial<ServerDeps> = {}) {
  const painter = new FakePainter();
  const server = await startSite(change);
  Object.assign(server.site.deps, { cards: new Cards(painter, server.clock) });
  const card = (id: number | string, headers: Record<string, string> = {}) =>
    ask(`${server.baseUrl}/alerts/${id}`, { headers });
  return { ...server, painter, card };
}

const MANY_CALLERS = { publicRequestsPerMinute: null, trustProxy: true };
const from = (address: string) => ({ 'x-forwarded-for': address });

const ALERT = alertOf({ id: 1 });
const VISIBLE_AFTER_MS = ALERT.createdAt + FREE_DELAY_MS - START;

describe('the picture of an alert', () => {
  test('is there when the free delay is over; before, the answer is that for an unknown alert', async () => {
    const { card, append, clock } = await startWithPainter();
    await append(ALERT);
    await clock.advance(VISIBLE_AFTER_MS - 1);
    const [early, unknown] = [await card('1.png'), await card('2.png')];
    expect([early.status, early.text]).toEqual([404, unknown.text]);
    expect([...early.headers.keys()]).toEqual([...unknown.headers.keys()]);
    await clock.advance(1);
    const shown = await card('1.png');
    expect([shown.status, shown.text]).toEqual([200, '1 open'.repeat(1_000)]);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=3600',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(shown.headers.get('content-encoding')).toBeNull();
  });

  test('is at no other address', async () => {
    const { card } = await startWithPainter();
    for (const name of ['0', '-1', '1e3', 'x', '99999999999999999999', '%00'])
      expect(await card(`${name}.png`)).toMatchObject({ status: 404 });
  });

  test('is drawn once, whatever the query says, and again with a result or when the alert is withdrawn', async () => {
    const { card, append, clock, painter, database } = await startWithPainter();
    await append(ALERT);
    await clock.advance(VISIBLE_AFTER_MS);
    const first = await card('1.png?v=1-open');
    await Promise.all([card('1.png'), card('1.png?v=1-paid-1'), card('1.png?x')]);
    const etag = first.headers.get('etag') ?? '';
    expect(await card('1.png', { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
    expect(painter.drawn).toEqual(['1 open']);
    await settleMarket(database);
    expect(await card('1.png', { 'if-none-match': etag })).toMatchObject({ status: 200 });
    await enterWithdrawal({ ...database, sha256 }, { alertId: 1, at: 1, reason: 'wrong' });
    expect(await card('1.png')).toMatchObject({ status: 200 });
    expect(painter.drawn).toEqual(['1 open', '1 1', '1 withdrawn']);
  });

  test('has the price as its page has it, at the free delay, and is drawn again after an hour', async () => {
    const server = await startObserved({
      alerts: [alertAt(0, { id: 1 })],
      orders: [2, 6].map((minutes) => ({ at: minute(minutes), price: 0.4 + minutes / 100 })),
    });
    const painter = new FakePainter();
    Object.assign(server.site.deps, { cards: new Cards(painter, server.clock) });
    const pricesShown = async () => {
      await ask(`${server.baseUrl}/alerts/1.png`);
      return painter.chart?.line.map(({ price }) => price);
    };
    await server.clock.jump(3 * MINUTE_MS);
    expect(await pricesShown()).toEqual([0.4, 0.42]);
    expect(painter.chart).toMatchObject({
      outcome: 'Yes',
      alerts: [{ alert: { id: 1 }, price: 0.4, isMain: true }],
    });
    await server.clock.jump(30 * MINUTE_MS);
    expect(await pricesShown()).toEqual([0.4, 0.42]);
    await server.clock.jump(HOUR_MS);
    expect(await pricesShown()).toEqual([0.4, 0.42, 0.46]);
    expect(painter.drawn).toHaveLength(2);
  });

  test('is drawn one at a time, for all who ask; beyond those that wait it is refused for a moment', async () => {
    const { card, append, clock, painter } = await startWithPainter(MANY_CALLERS);
    const ids = Array.from({ length: CARDS_MAX.waiting + 2 }, (_, index) => index + 1);
    await append(...ids.map((id) => alertOf({ id, createdAt: START })));
    await clock.jump(FREE_DELAY_MS);
    painter.hold();
    const twice = [card('1.png'), card('1.png')];
    await until(() => painter.drawn.length === 1);
    const asked = ids.map((id) => card(`${id}.png`, from(`192.0.2.${id}`)));
    const refused = await Promise.race(asked);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(painter.drawn).toEqual(['1 open']);
    painter.release();
    const statuses = (await Promise.all([...twice, ...asked])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(CARDS_MAX.waiting + 3);
  });

  test('is refused to an address that waits for many, and to no other one', async () => {
    const { card, append, clock, painter } = await startWithPainter(MANY_CALLERS);
    const ids = Array.from({ length: CARDS_MAX.perCaller + 1 }, (_, index) => index + 1);
    await append(...ids.map((id) => alertOf({ id, createdAt: START })));
    await clock.jump(FREE_DELAY_MS);
    painter.hold();
    const asked = ids.map((id) => card(`${id}.png`, from('192.0.2.1')));
    const refused = await Promise.race(asked);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.body).toMatchObject({ code: 'rate_limited' });
    const other = card('1.png', from('192.0.2.2'));
    painter.release();
    expect(await other).toMatchObject({ status: 200 });
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(CARDS_MAX.perCaller);
  });

  test('that could not be drawn is drawn again for the next who asks', async () => {
    const { card, append, clock, painter } = await startWithPainter();
    painter.isBroken = true;
    await append(alertOf({ id: 1, createdAt: START }));
    await clock.jump(FREE_DELAY_MS);
    expect(await card('1.png')).toMatchObject({ status: 500 });
    await card('1.png');
    expect(painter.drawn).toHaveLength(2);
  });
});
