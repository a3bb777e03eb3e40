import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { alertOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { settleMarket, storeAlerts } from '../../support/stored.ts';
import { onEachDatabase } from './each-database.ts';

const [ANN, BEN, CID] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
/** Ends like `BEN`: its last 13 digits are the same. */
const LIKE_BEN = `0x${'1'.repeat(27)}${'b'.repeat(13)}`;
const WON = { payout: 1, won: true, profitUsdc: 3_000 };

const idsOf = (alerts: readonly Alert[]) => alerts.map(({ id }) => id);

function clusterOf(given: Partial<Alert> & { id: number }, ...wallets: string[]): Alert {
  const alert = alertOf({ type: 'cluster', wallet: wallets.at(-1) ?? '', ...given });
  return { ...alert, details: { ...alert.details, wallets, clusterTotal: 6_000 } };
}

/** The details of an alert whose wallet has put in so much. */
function bought(marketTotalBought: number) {
  return { ...alertOf({ id: 1 }).details, marketTotalBought };
}

onEachDatabase('reports on the ledger', (fixture) => {
  const wallet = (address: string, query = {}) =>
    fixture.database.alerts.walletReport(address, { limit: 10, ...query });
  const market = (id: string, query = {}) =>
    fixture.database.alerts.marketReport(id, { limit: 10, ...query });

  async function append(...alerts: readonly Alert[]) {
    for (const alert of alerts) await storeAlerts(fixture.database, alert);
  }

  test('a wallet has its own alerts, page by page, and the clusters that name it', async () => {
    await append(
      clusterOf({ id: 1 }, BEN, CID),
      alertOf({ id: 2, wallet: ANN }),
      alertOf({ id: 3, wallet: BEN, details: { ...alertOf({ id: 3 }).details, walletAgeDays: 4 } }),
      clusterOf({ id: 4 }, ANN, BEN),
      clusterOf({ id: 5 }, ANN, LIKE_BEN),
    );
    const ben = await wallet(BEN, { limit: 1 });
    expect(ben).toMatchObject({ firstAt: START + 1_000, ageDaysAtFirst: 4, total: 2, hasMore: true });
    expect(idsOf(ben?.alerts ?? [])).toEqual([4]);
    expect([ben?.clusters.total, idsOf(ben?.clusters.newest ?? [])]).toEqual([2, [4, 1]]);
    expect(ben?.positions).toMatchObject({ total: 1, newest: [{ newest: { id: 4 }, alertIds: [3, 4] }] });
    expect(await wallet(BEN, { beforeId: 4 })).toMatchObject({
      alerts: [{ id: 3 }],
      total: 2,
      hasMore: false,
    });
    // A member only.
    await append(clusterOf({ id: 6 }, `0x${'d'.repeat(40)}`, ANN));
    expect(await wallet(`0x${'d'.repeat(40)}`)).toMatchObject({
      firstAt: START + 6_000,
      ageDaysAtFirst: null,
      total: 0,
      alerts: [],
      clusters: { total: 1 },
    });
    expect(await wallet(`0x${'e'.repeat(40)}`)).toBeNull();
  });

  test('an alert is in no report before the moment up to which a caller sees', async () => {
    await append(
      alertOf({ id: 1, wallet: ANN }),
      alertOf({ id: 2, wallet: ANN, score: 90 }),
      clusterOf({ id: 3 }, BEN, ANN),
    );
    const until = START + 1_999;
    expect(await wallet(ANN, { until })).toMatchObject({
      total: 1,
      alerts: [{ id: 1 }],
      positions: { total: 1, newest: [{ alertIds: [1] }] },
      clusters: { total: 0 },
    });
    expect(await wallet(BEN, { until })).toBeNull();
    expect(await market('0xm1', { until })).toMatchObject({ total: 1, counted: 1, wallets: { total: 1 } });
    expect(await market('0xm1', { until: START })).toBeNull();
    expect(await market('0xm1', { until: until + 1 })).toMatchObject({ total: 2, newest: { score: 90 } });
  });

  test('nor is a result that was entered after it, in the record, the alerts or the market', async () => {
    const markets = Array.from({ length: 10 }, (_, index) => `0xm${index + 1}`);
    await append(...markets.map((marketId, index) => alertOf({ id: index + 1, wallet: ANN, marketId })));
    for (const [index, marketId] of markets.entries())
      await settleMarket(fixture.database, { marketId, at: START + 60_000 + index });
    const all = await wallet(ANN, { until: START + 60_009 });
    expect(all?.record).toMatchObject({ markets: 10, figures: { won: 10, winRate: 1 } });
    const early = await wallet(ANN, { until: START + 60_008 });
    expect(early?.record).toEqual({ markets: 9, positions: 9, figures: null });
    expect(early?.alerts.map(({ resolution }) => resolution)).toEqual([null, ...new Array(9).fill(WON)]);
    const until = START + 60_008;
    expect(await market('0xm10', { until })).toMatchObject({
      resolution: null,
      alerts: [{ resolution: null }],
    });
    expect(await market('0xm9', { until })).toMatchObject({
      resolution: { payouts: [1, 0] },
      alerts: [{ resolution: WON }],
    });
    expect((await market('0xm10'))?.resolution?.outcomes).toEqual(['Yes', 'No']);
  });

  test('a market has its alerts under all its titles, by outcome, thread and wallet', async () => {
    await append(
      alertOf({ id: 1, wallet: ANN, usdc: 1_000.1 }),
      alertOf({ id: 2, marketId: '0xother' }),
      alertOf({ id: 3, wallet: ANN, usdc: 2_000.2, eventTitle: 'Renamed?', threadId: 1, supersedes: 1 }),
      alertOf({ id: 4, wallet: BEN, usdc: 9_000, outcome: 'No', details: bought(9_000) }),
      clusterOf({ id: 5, usdc: 500, eventTitle: 'Renamed?' }, CID, ANN),
    );
    const report = await market('0xm1', { limit: 2 });
    expect(report).toMatchObject({ total: 4, counted: 4, hasMore: true, newest: { eventTitle: 'Renamed?' } });
    expect(idsOf(report?.alerts ?? [])).toEqual([5, 4]);
    expect(report?.outcomes).toEqual([
      { outcome: 'No', alerts: 1, threads: 1, wallets: 1, putInUsdc: 9_000 },
      { outcome: 'Yes', alerts: 3, threads: 2, wallets: 2, putInUsdc: 8_000.2 },
    ]);
    expect(report?.threads.newest.map(({ threadId, wallet: of }) => [threadId, of])).toEqual([
      [5, null],
      [4, BEN],
      [1, ANN],
    ]);
    expect(report?.threads.newest[2]?.prices).toEqual([
      { id: 3, at: START + 3_000, price: 0.4, usdc: 2_000.2 },
      { id: 1, at: START + 1_000, price: 0.4, usdc: 1_000.1 },
    ]);
    expect(report?.wallets).toEqual({
      total: 3,
      largest: [
        { wallet: BEN, alerts: 1, putInUsdc: 9_000 },
        { wallet: ANN, alerts: 3, putInUsdc: 2_000 },
        { wallet: CID, alerts: 0, putInUsdc: 0 },
      ],
    });
    expect(idsOf((await market('0xm1', { beforeId: 4 }))?.alerts ?? [])).toEqual([3, 1]);
    expect(await market('0xnone')).toBeNull();
  });

  test('the market of a slug is the one with the newest visible alert, in any case, under all its slugs', async () => {
    const find = (slug: string, until?: number) =>
      fixture.database.alerts.marketOfSlug(slug, until === undefined ? {} : { until });
    await append(
      alertOf({ id: 1, marketId: '0xm1', eventSlug: 'Will-It' }),
      alertOf({ id: 2, marketId: '0xm2', eventSlug: 'will-it-2' }),
      alertOf({ id: 3, marketId: '0xm3', eventSlug: 'will-it' }),
      alertOf({ id: 4, marketId: '0xm1', eventSlug: 'renamed' }),
    );
    expect(
      await Promise.all(['WILL-it', 'will-it-2', 'renamed', 'will', ''].map((slug) => find(slug))),
    ).toEqual(['0xm1', '0xm2', '0xm1', null, null]);
    expect(await find('will-it', START + 3_000)).toBe('0xm3');
    expect(await find('will-it', START + 2_000)).toBe('0xm1');
    expect(await find('will-it', START)).toBeNull();
  });

  test('a text names the markets with that question or slug or, without one, with it as a part, as far as they have a visible alert', async () => {
    const find = (text: string, bound: object = {}) =>
      fixture.database.alerts.marketsNamed(text, { limit: 3, ...bound });
    const on = (id: number, marketId: string, eventTitle: string, eventSlug: string) =>
      alertOf({ id, marketId, eventTitle, eventSlug });
    await append(
      on(1, '0xm1', 'Will ÄRGER rise?', 'will-it'),
      on(2, '0xm2', 'Will ärger rise? Again', 'will-it-2'),
      on(3, '0xm3', 'Plain 100%', 'plain'),
      on(4, '0xm1', 'Will ÄRGER rise?', 'will-it'),
    );
    expect(await find('will ärger RISE?')).toEqual(['0xm1']);
    expect(await find('PLAIN')).toEqual(['0xm3']);
    expect(await find('ärger')).toEqual(['0xm1', '0xm2']);
    expect(await find('ärger', { limit: 1 })).toEqual(['0xm1']);
    expect(await find('will', { until: START + 3_000 })).toEqual(['0xm2', '0xm1']);
    expect(await find('100%', { until: START + 2_999 })).toEqual([]);
    expect(await find('nothing like it')).toEqual([]);
  });

  test('a search and the markets that a text names have all its words, in any order and case, in the question or slug', async () => {
    const { alerts } = fixture.database;
    const titles = ['Georgia Senate', 'Georgia governor', 'Senate majority', 'Peach state'];
    const slugs = ['georgia-senate', 'georgia-governor', 'majority', 'senate-of-georgia'];
    await append(
      ...titles.map((eventTitle, index) =>
        alertOf({ id: index + 1, marketId: `0xm${index + 1}`, eventTitle, eventSlug: slugs[index] ?? '' }),
      ),
    );
    for (const search of ['senate georgia', 'SENATE Georgia', 'senat eorgi']) {
      const found = await alerts.search({ search }, { page: 1, pageSize: 9 });
      expect(idsOf(found.alerts), search).toEqual([4, 1]);
      expect(await alerts.marketsNamed(search, { limit: 9 }), search).toEqual(['0xm4', '0xm1']);
    }
    expect((await alerts.search({ search: 'senate alaska' }, { page: 1, pageSize: 9 })).total).toBe(0);
  });

  test('the ends of an address name the wallets of visible alerts and the members of visible clusters', async () => {
    const address = (start: string, end: string) => `0x${start.padEnd(36, '0')}${end}`;
    const find = (start: string, end = '', bound: object = {}) =>
      fixture.database.alerts.walletsNamed({ start: `0x${start}`, end }, { limit: 3, ...bound });
    const [one, two, three] = [address('872c', '41f0'), address('872c1', '41f0'), address('872d', '41f0')];
    await append(
      ...Array.from({ length: 210 }, (_, index) => alertOf({ id: index + 1, wallet: one })),
      alertOf({ id: 211, wallet: two }),
      alertOf({ id: 212, wallet: three }),
      clusterOf({ id: 213 }, address('872c', 'ffff'), three),
    );
    expect(await find('872c', '41f0')).toEqual([one, two]);
    expect(await find('872c')).toEqual([one, address('872c', 'ffff'), two]);
    expect(await find('872c', '', { limit: 1 })).toEqual([one]);
    expect(await find('872', 'ffff')).toEqual([address('872c', 'ffff')]);
    expect(await find('872', 'ffff', { until: START + 212_999 })).toEqual([]);
    expect(await find('872', '41f0', { until: START + 211_000 })).toEqual([one, two]);
    expect(await find('872c_')).toEqual([]);
  });

  test('clusters that another process has appended are found, however many there are', async () => {
    const other = await fixture.another();
    await append(clusterOf({ id: 1 }, ANN, BEN));
    expect((await wallet(ANN))?.clusters.total).toBe(1);
    // More members than the first arrays hold.
    const members = Array.from({ length: 1_500 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`);
    await storeAlerts(other, clusterOf({ id: 2 }, ...members, ANN));
    const found = await Promise.all([ANN, members[1_499] ?? '', ANN].map((address) => wallet(address)));
    expect(found.map((report) => report?.clusters.total)).toEqual([2, 1, 2]);
  });
});
