import { describe, expect, test } from 'vitest';
import { plainText } from '../../../bots/shared/screen.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { alertOf, exitOf } from '../../support/alerts.ts';
import { type ConversationVisit, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { appendDrafts } from '../../support/log-entries.ts';
import { START } from '../../support/rows.ts';
import { storeAlerts, storeExits } from '../../support/stored.ts';
import { getKey, PRO } from './key-tap.ts';

const WALLETS = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`);
const OLD = START - 10 * MINUTE_MS;

async function openWithCluster(): Promise<ConversationVisit> {
  const visit = await openConversationVisit();
  const { details } = alertOf({ id: 1 });
  await storeAlerts(
    visit.fixture.database,
    alertOf({
      id: 1,
      type: 'cluster',
      createdAt: OLD,
      tradedAt: OLD,
      wallet: WALLETS[2] as string,
      details: { ...details, wallets: WALLETS, clusterTotal: 24_000, clusterAvgPrice: 0.67 },
    }),
  );
  return visit;
}

describe('/alert', () => {
  test('shows what happened, the reasons with their points, the members of a cluster, and that it is open', async () => {
    const visit = await openWithCluster();
    const text = plainText(await visit.command('alert', '1'));
    for (const part of [
      'Alert 1',
      'Strong · cluster of new wallets within an hour',
      'Will the measure pass?',
      '72 · 3 wallets, $24,000 on Yes at 67¢ to win $3,000',
      '+30 wallet 1 day old',
      '0xaaaa…aaaa',
      '0xbbbb…bbbb',
      '0xcccc…cccc',
      'traded 2026-01-01 23:50 UTC',
      'Its market has not settled yet.',
    ])
      expect(text).toContain(part);
  });

  test('shows the last exit of the position, as late as the customer sees alerts; without one only what is known', async () => {
    const visit = await openWithCluster();
    const { database, clock } = visit.fixture;
    const shown = async () => plainText(await visit.command('alert', '1'));
    expect(await shown()).toContain('No sale seen.');
    const lost = {
      kind: 'rules',
      key: 'rules:1',
      at: START,
      body: { reason: 'rows' },
    } as const;
    await appendDrafts(database.log, [lost]);
    expect(await shown()).toContain('What became of the position is not known');
    await storeExits(
      database,
      exitOf({ number: 1, createdAt: clock.now() }),
      exitOf({ number: 2, createdAt: clock.now(), level: 'out', profitUsdc: 9_000 }),
    );
    expect(await shown()).toContain('is not known');
    await clock.advance(5 * MINUTE_MS);
    expect(await shown()).toContain('Sold 60% at 71¢ after 3 h: +$9,000.');
    expect(await shown()).not.toContain('is not known');
  });

  test('of an unknown number and of one inside the free delay gets the same answer, with the newest number', async () => {
    const visit = await openConversationVisit();
    await visit.fixture.addAlerts(3);
    const [delayed, unknown] = [await visit.command('alert', '2'), await visit.command('alert', '9')];
    expect(plainText(delayed)).toBe(plainText(unknown).replace('alert 9', 'alert 2'));
    expect(plainText(delayed)).toContain('The newest you can see is alert 1');
    expect(plainText(delayed)).toContain('5 minutes late');
  });

  test('leads to the alert’s page once it has one, also for a customer who sees it earlier', async () => {
    const visit = await openConversationVisit();
    await visit.fixture.addAlerts(3);
    await getKey(visit, PRO);
    const pageOf = async (id: string) =>
      (await visit.command('alert', id)).buttons
        .flat()
        .flatMap((button) => ('url' in button && button.label === 'Page' ? [button.url] : []));
    expect(await pageOf('1')).toEqual(['https://api.example.com/alerts/1']);
    expect(await pageOf('3')).toEqual([]);
  });
});

describe('/alerts', () => {
  async function openWithAlerts(): Promise<ConversationVisit> {
    const visit = await openConversationVisit();
    const kinds = [
      { category: 'politics', score: 80, withdrawn: { at: 1, reason: null } },
      { category: 'politics', score: 60 },
      { category: 'pop_culture', score: 90 },
    ] as const;
    for (const [index, kind] of kinds.entries()) {
      const id = index + 1;
      await storeAlerts(
        visit.fixture.database,
        alertOf({ id, createdAt: OLD, marketId: `0xm${id}`, wallet: WALLETS[0] as string, ...kind }),
      );
    }
    return visit;
  }

  test('marks a withdrawn alert, as its own screen does', async () => {
    const visit = await openWithAlerts();
    expect(plainText(await visit.command('alerts'))).toContain('\nAlert 1, withdrawn · ');
    expect(plainText(await visit.command('alert', '1'))).toContain('80 · withdrawn · $2,000 on Yes');
  });
});
