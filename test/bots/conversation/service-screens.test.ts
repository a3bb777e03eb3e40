import { describe, expect, test } from 'vitest';
import { plainText } from '../../../bots/shared/screen.ts';
import { HOUR_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { recordReportOf } from '../../support/record-report.ts';

describe('/record', () => {
  test('quotes the newest record, and has no figures of its own', async () => {
    const visit = await openConversationVisit();
    const report = recordReportOf();
    const { database, clock } = visit.fixture;
    await database.records.put({ at: clock.now(), report });
    const text = plainText(await visit.command('record'));
    expect(text).toContain(`${report.conclusion}\n\n${report.results}`);
    expect(text.replace(report.conclusion, '').replace(report.results ?? '', '')).not.toMatch(/\d/);
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
    expect(text).toContain('100% of the last 24 hours');
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
    expect(text).toContain('75% of the last 24 hours');
  });
});
