import { describe, expect, test } from 'vitest';
import { plainText } from '../../../bots/shared/screen.ts';
import { HOUR_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { NOTHING_MEASURED } from '../../../src/core/record/conclusion.ts';
import { RECORD } from '../../../src/core/record/record-store.ts';
import { alertOf, settlementOf } from '../../support/alerts.ts';
import { type ConversationVisit, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { recordReportOf } from '../../support/record-report.ts';

async function addSettled(
  { fixture: { database } }: ConversationVisit,
  { id, createdAt, won }: { id: number; createdAt: number; won: boolean },
): Promise<void> {
  const marketId = `0xm${id}`;
  await database.alerts.append(alertOf({ id, createdAt, marketId }));
  const payout = won ? 1 : 0;
  const totals = await database.alerts.resolveMarket(marketId, () => ({ payout, won, profitUsdc: 1 }));
  await database.settlements.put(
    settlementOf({ marketId, seq: id, payouts: [payout, 1 - payout], ...totals }),
  );
}

describe('/record', () => {
  test('without a settled market says so; without a record too', async () => {
    const visit = await openConversationVisit();
    const text = plainText(await visit.command('record'));
    expect(text).toContain('No bet has settled yet.');
    expect(text).toContain(NOTHING_MEASURED);
  });

  test('quotes the conclusion of the newest record', async () => {
    const visit = await openConversationVisit();
    const report = recordReportOf();
    const { database, clock } = visit.fixture;
    await database.records.put({ name: RECORD, at: clock.now(), text: JSON.stringify(report) });
    expect(plainText(await visit.command('record'))).toContain(report.conclusion);
  });

  test('gives the share that was right as GET /stats does, and what the prices paid needed', async () => {
    const visit = await openConversationVisit();
    const createdAt = visit.fixture.clock.now() - HOUR_MS;
    for (let id = 1; id <= 40; id += 1) await addSettled(visit, { id, createdAt, won: id % 4 !== 0 });
    const text = plainText(await visit.command('record'));
    expect(text).toContain('30 of 40 settled bets were right: 75.0 %');
    expect(text).toContain('At the prices paid, 40.0 % was needed to break even.');
  });

  test('counts no result of alerts inside the free delay', async () => {
    const visit = await openConversationVisit();
    await addSettled(visit, { id: 1, createdAt: visit.fixture.clock.now(), won: true });
    expect(plainText(await visit.command('record'))).toContain('No bet has settled yet.');
  });
});

describe('/status', () => {
  test('says that the feed sees every trade, up to when, and the share of the last 24 hours', async () => {
    const visit = await openConversationVisit();
    const now = visit.fixture.clock.now();
    await visit.fixture.database.coverage.writePosition({
      since: now - 48 * HOUR_MS,
      confirmedUntil: now - 12 * SECOND_MS,
      oldestWaiting: null,
    });
    await visit.fixture.addAlerts(1);
    const text = plainText(await visit.command('status'));
    expect(text).toContain('The feed sees every trade.');
    expect(text).toContain('known up to 12 s ago');
    expect(text).toContain('100 % of the last 24 hours');
    expect(text).toContain('Newest alert: alert 1, 10 min ago');
  });

  test('says since when the feed is blind, and what was missed of the day', async () => {
    const visit = await openConversationVisit();
    const now = visit.fixture.clock.now();
    await visit.fixture.database.coverage.writePosition({
      since: now - 48 * HOUR_MS,
      confirmedUntil: now - 6 * HOUR_MS,
      oldestWaiting: null,
    });
    await visit.fixture.database.coverage.putWindow({
      id: 'blind_1',
      startedAt: now - 6 * HOUR_MS,
      endedAt: null,
      cause: 'unreachable',
      backfilledAt: null,
    });
    const text = plainText(await visit.command('status'));
    expect(text).toContain(
      'The feed has seen no trades since 2026-01-01 18:00 UTC. The market did not answer.',
    );
    expect(text).toContain('75 % of the last 24 hours');
  });
});
