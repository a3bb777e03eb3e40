import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { MARKET, PLAIN, type Reads, shown, text } from './presenter-fixture.ts';

const SITE = { siteUrl: 'https://tipoff.example.com' };
const FACTS = { alertId: 1, marketId: '0xm1', threadId: 1 };
const LOST = { payout: 0, won: false, profitUsdc: -2_000 };

const post = (alert: Partial<Alert>, reads: Reads = SITE) =>
  shown('alert', FACTS, [{ ...PLAIN, ...alert }], reads);
const labels = async (reads: Reads, alert: Partial<Alert> = {}) =>
  (await post(alert, reads))?.buttons.map((row) => row.map(({ label }) => label));

describe('a post of an alert with a page', () => {
  test('leads to it', async () => {
    expect((await post({}))?.buttons[0]).toEqual([
      { label: 'Details', url: 'https://tipoff.example.com/alerts/1' },
      { label: 'Market', url: MARKET },
    ]);
    expect(await labels(SITE)).toEqual([
      ['Details', 'Market'],
      ['Why', 'Get a key'],
    ]);
    expect(await labels({ ...SITE, channel: 'discord' })).toEqual([['Details', 'Market', 'Get a key']]);
    expect(await labels({ siteUrl: null })).toEqual([['Market', 'Why', 'Get a key']]);
  });

  test('shows its picture from a score of 80 on', async () => {
    expect((await post({ score: 80 }))?.preview).toEqual({
      page: 'https://tipoff.example.com/alerts/1?v=1-open',
      picture: 'https://tipoff.example.com/alerts/1.png?v=1-open',
    });
    expect((await post({ score: 79 }))?.preview).toBeNull();
    expect((await post({ score: 80 }, { siteUrl: null }))?.preview).toBeNull();
  });

  test.each(['alert_update', 'alert_result'] as const)(
    'keeps its picture in an edit (%s), with another address when there is a result',
    async (kind) => {
      const edited = (alert: Partial<Alert>) => shown(kind, FACTS, [{ ...PLAIN, score: 85, ...alert }], SITE);
      expect((await edited({}))?.preview).toEqual((await post({ score: 85 }))?.preview);
      expect((await edited({ resolution: LOST }))?.preview).toEqual({
        page: 'https://tipoff.example.com/alerts/1?v=1-paid-0',
        picture: 'https://tipoff.example.com/alerts/1.png?v=1-paid-0',
      });
    },
  );
});

test('titles in the digest lead to the pages of alerts, or to the markets where alerts have none', async () => {
  const digest = {
    ...{ day: '2026-11-20', alerts: 2, byType: {}, topAlertIds: [1], hotMarkets: [] },
    results: { won: 0, lost: 0, profitUsdc: 0 },
    record: { resolved: 0, won: 0, averageEntry: null },
    unposted: { alertIds: [1], more: 0 },
  };
  const addresses = async (reads: Reads) =>
    (await text('daily_digest', digest, [PLAIN], reads))?.match(/(?<=Will the measure pass\? \().*(?=\))/g);
  expect(await addresses(SITE)).toEqual(Array(2).fill('https://tipoff.example.com/alerts/1'));
  expect(await addresses({ siteUrl: null })).toEqual([MARKET, MARKET]);
});
