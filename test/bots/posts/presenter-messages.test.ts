import { describe, expect, test } from 'vitest';
import { toMessage } from '../../../bots/discord/screen-message.ts';
import { plainText, type Screen } from '../../../bots/shared/screen.ts';
import { toOnePart } from '../../../bots/telegram/render.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import type { DailyDigest } from '../../../src/core/chat/digest-facts.ts';
import { exitOf } from '../../support/alerts.ts';
import { NO_CHANGES } from '../../support/chat/messages.ts';
import { DELAY_MS, HASH, MARKET, NOTE, NOW, PLAIN, shown, text } from './presenter-fixture.ts';

const escaped = (words: string) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('the digest of a day', () => {
  const DIGEST: DailyDigest = {
    day: '2026-11-20',
    bets: 4,
    byType: { cluster: 1, fresh: 2, fresh_accumulator: 1 },
    changes: NO_CHANGES,
    record: { resolved: 1_200, markets: 20, won: 720, averageEntry: 0.551 },
  };

  test('has the newest head of the log at the channel’s delay, whole, where Discord does not cut it', async () => {
    const asked: number[] = [];
    const headAt = (until: number) => {
      asked.push(until);
      return { seq: 1_234, hash: HASH };
    };
    const alerts = [1, 2, 3, 4, 5].map((id) => ({ ...PLAIN, id, threadId: id, eventTitle: 'x'.repeat(200) }));
    const facts = { ...DIGEST, unposted: { alertIds: alerts.map(({ id }) => id), more: 0 } };
    const screen = await shown('daily_digest', facts, alerts, { headAt });

    expect(toMessage(screen as Screen).content).toContain(`**Log**\n\`1234:${HASH}\``);
    expect(toMessage(screen as Screen).content.length).toBeLessThanOrEqual(2_000);
    expect(asked).toEqual([NOW - DELAY_MS]);
  });

  test('says that fewer than 10 settled markets are too few', async () => {
    const line = async (record: DailyDigest['record']) =>
      (await text('daily_digest', { ...DIGEST, record }))?.split('\n').find((one) => /30 days/.test(one));
    const record = { resolved: 1_200, won: 720, averageEntry: 0.551 };
    const enough = 'Last 30 days: 720 of 1,200 settled bets were right (60%).';

    expect(await line({ ...record, markets: 9 })).toBe(
      'Last 30 days: bets in 9 settled markets, 720 of 1,200 right: too few to say.',
    );
    expect(await line({ ...record, markets: 10 })).toContain(enough);
    expect(await line({ resolved: 1, markets: 1, won: 1, averageEntry: 0.5 })).toBe(
      'Last 30 days: bets in 1 settled market, 1 of 1 right: too few to say.',
    );
  });

  describe('lists what was not posted', () => {
    const won = { payout: 1, won: true, profitUsdc: 1 };
    const alertsOf = (count: number, given: Partial<Alert> = {}) =>
      Array.from({ length: count }, (_, index) => ({
        ...PLAIN,
        ...given,
        id: index + 2,
        threadId: index + 2,
      }));
    const factsOf = (alerts: readonly Alert[], more = 0) => ({
      ...DIGEST,
      unposted: { alertIds: alerts.map(({ id }) => id), more },
    });

    test('with its results, open markets included', async () => {
      const [one, two, three] = alertsOf(3) as [Alert, Alert, Alert];
      const alerts = [
        { ...one, resolution: won },
        { ...two, resolution: { payout: 0, won: false, profitUsdc: -12_340 } },
        three,
      ];
      const line = (sign: string, end: string) =>
        `${sign}72 · $12,340 on Yes at 12.5¢ to win $86,383\nWill the measure pass? (${MARKET}) · ${end}`;
      const lines = [line('✅ ', 'won $1'), line('❌ ', 'lost $12,340'), line('', 'open')];

      expect(await text('daily_digest', factsOf(alerts), [PLAIN, ...alerts])).toMatch(
        new RegExp(`${escaped(`\n\nNot posted, best first\n\n${lines.join('\n\n')}`)}$`),
      );
    });

    test('in all the room that other lists leave', async () => {
      const alerts = alertsOf(40);
      const facts = factsOf(alerts);
      const words = await text('daily_digest', facts, [PLAIN, ...alerts], { channel: 'discord' });
      expect(words?.split('Not posted')[1]?.match(/72 · /g)?.length).toBeGreaterThan(5);
    });

    test.each(['telegram', 'discord'] as const)(
      'cut to what %s takes, with the number of the rest',
      async (channel) => {
        for (const eventTitle of [
          'Will it?',
          'x'.repeat(3_000),
          '*'.repeat(3_000),
          'https://e.vil/a_b '.repeat(99),
        ]) {
          const alerts = alertsOf(100, { eventTitle, outcome: eventTitle });
          const digest = factsOf(alerts, 4_900);
          const screen = (await shown('daily_digest', digest, alerts, { channel })) as Screen;
          const sent = channel === 'discord' ? toMessage(screen).content : toOnePart(screen.body).plain;

          const list = sent.slice(sent.indexOf('Not posted, best first'));
          const [, more = ''] = /\n\n… and ([\d,]+) more$/.exec(list) ?? [];
          const named = list.match(/ · open/g)?.length ?? 0;
          expect(Number(more.replace(',', '')) + named).toBe(5_000);
          expect(sent.length).toBeLessThanOrEqual(channel === 'discord' ? 2_000 : 4_096);
        }
      },
    );
  });

  test('tells what was settled and sold since the last one, the winner and the losses, whenever the alert was made', async () => {
    const lost = { ...PLAIN, id: 5, score: 87, resolution: { payout: 0, won: false, profitUsdc: -12_340 } };
    const won = { ...PLAIN, id: 6, resolution: { payout: 1, won: true, profitUsdc: 86_383 } };
    const changes = {
      ...{ won: 1, lost: 2, profitUsdc: 74_043, exits: [1], moreExits: 2 },
      settled: [
        { alertId: 5, winner: 'No' },
        { alertId: 6, winner: 'Yes' },
      ],
    };
    const words = await text('daily_digest', { ...DIGEST, changes }, [PLAIN, lost, won], {
      exit: exitOf({ number: 1, alertIds: [5, 6] }),
      siteUrl: 'https://tipoff.example.com',
    });

    expect(words).toContain(`
Settled since the last digest
1 right, 2 wrong, in total +$74,043 before fees.

❌ 87 · $12,340 on Yes at 12.5¢ to win $86,383
Will the measure pass? (https://tipoff.example.com/alerts/5) · lost $12,340: No won

✅ 72 · $12,340 on Yes at 12.5¢ to win $86,383
Will the measure pass? (https://tipoff.example.com/alerts/6) · won $86,383: Yes won

… and 1 more

Sold or hedged since the last digest

Will the measure pass? (https://tipoff.example.com/alerts/6)
Sold 60% at 71¢ after 3 h: +$7,680

… and 2 more`);
  });

  test('names each alert once: what was settled is not listed as not posted, too', async () => {
    const resolution = { payout: 1, won: true, profitUsdc: 86_383 };
    const alerts = [5, 6, 7].map((id) => ({
      ...PLAIN,
      id,
      threadId: id,
      eventTitle: `Question ${id}?`,
      resolution,
    }));
    const words = await text(
      'daily_digest',
      {
        ...DIGEST,
        changes: { ...NO_CHANGES, won: 2, settled: [5, 6].map((alertId) => ({ alertId, winner: 'Yes' })) },
        unposted: { alertIds: [7, 6, 5], more: 0 },
      },
      alerts,
    );

    for (const { eventTitle } of alerts) expect(words?.split(eventTitle)).toHaveLength(2);
  });

  test('of a day without alerts says so', async () => {
    const none = { bets: 0, byType: {} };
    const record = { resolved: 0, markets: 0, won: 0, averageEntry: null };

    expect(await text('daily_digest', { ...DIGEST, ...none, record })).toBe(
      `The day in suspicious trades: 2026-11-20 (UTC)
No bets that day.

Results
No bet from the last 30 days has settled yet.
${NOTE}`,
    );
  });
});

describe('messages to one person', () => {
  const endsAt = Date.UTC(2026, 10, 24, 20, 15);

  test.each([
    [true, 'I deleted that message, but others may have read it: replace the key now.'],
    [
      false,
      'I could not delete that message: replace the key now, and delete the message or ask an administrator there to do it, or the operator of this service (https://tipoff.example.com/contact).',
    ],
  ])('a key was seen in public (deleted: %s), with a button that replaces it', async (isDeleted, words) => {
    const facts = { keyId: 'key_a', name: 'Ann 1', place: 'the Telegram channel' };
    const screen = await shown('key_leaked', { ...facts, isDeleted });

    expect(plainText(screen ?? { body: [] })).toBe(
      `Your key was seen in public.\n\nYour key Ann 1 was posted in the Telegram channel. ${words}`,
    );
    expect(screen?.buttons).toEqual([[{ label: 'Replace the key', action: 'rotate:key_a' }]]);
  });

  test('the end of a trial names the follows that are paused, 20 of them at most', async () => {
    const follows = { count: 12, limit: 10, paused: ['Whale', 'wallet 0x1234…5678'] };
    const many = Array.from({ length: 40 }, (_, index) => `Whale ${index + 1}`);
    expect(await text('trial_ended', { endsAt, follows: { ...follows, paused: many } })).toContain(
      'Whale 19; Whale 20; and 20 more. None is deleted',
    );
  });

  test('a reminder that waited for a bot that was off says what is left now, and nothing after the end', async () => {
    expect(await text('trial_reminder', { endsAt: NOW + 2 * DAY_MS - 1 })).toContain('ends in 2 days.');
    expect(await text('trial_reminder', { endsAt: NOW })).toBeNull();
  });

  test('the operator’s own words stay as they are, and a note says where to ask', async () => {
    expect(await text('operator_note', { text: 'Your trial was extended.' })).toBe(
      'Your trial was extended.\n\nQuestions: write to the operator of this service (https://tipoff.example.com/contact).',
    );
    expect(await text('broadcast', { text: '<b>Hello</b>' })).toBe('<b>Hello</b>');
  });
});
