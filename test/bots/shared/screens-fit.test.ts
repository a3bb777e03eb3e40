import { describe, expect, test } from 'vitest';
import { toMessage, toPlainMessage } from '../../../bots/discord/screen-message.ts';
import type { Screen } from '../../../bots/shared/screen.ts';
import { toKeyboard, toOnePart, toParts } from '../../../bots/telegram/render.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { DAY_MS, HOUR_MS } from '../../../src/core/base/time/duration.ts';
import {
  CHANNELS,
  type ChatFacts,
  type ChatKind,
  type PersonalAlertMessage,
} from '../../../src/core/chat/chat-message.ts';
import { alertOf, exitOf } from '../../support/alerts.ts';
import { everyScreen, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { problemOf } from '../../support/chat/discord-rules.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { contentOf } from '../../support/chat/telegram-wire.ts';
import { getKey, PRO } from '../conversation/key-tap.ts';
import { HASH, NOW, shown } from '../posts/presenter-fixture.ts';

/** Characters that one of the platforms escapes, and one of two UTF-16 units. */
const HOSTILE = '<&">*_`|~[]()\\#@everyone\u202e🏛\n';
const longest = (length: number) => HOSTILE.repeat(length).slice(0, length - 1);
const TITLE = longest(600);
const REASONS = (['wallet_age', 'markets', 'to_win', 'timing', 'accumulator', 'cluster'] as const).map(
  (factor) => ({ factor, points: 99.95, max: 100, note: longest(200) }),
);
const WORST: Omit<Alert, 'id'> = {
  ...alertOf({ id: 1, type: 'cluster', tradedAt: NOW - DAY_MS }),
  wallet: `0x${'f'.repeat(40)}`,
  eventTitle: TITLE,
  eventSlug: 's'.repeat(300),
  outcome: longest(200),
  usdc: 987_654_321.99,
  shares: 9_876_543_210.9,
  entryPrice: 0.9499,
  score: 100,
  createdAt: NOW - HOUR_MS,
  details: {
    walletAgeDays: 9_999,
    isAccumulating: true,
    marketBuyCount: 999_999,
    marketTotalBought: 987_654_321.99,
    marketAvgPrice: 0.9499,
    isPositionKnown: true,
    heldShare: 1,
    positionShares: 9_876_543_210.9,
    toWinUsdc: 987_654_321.99,
    reasons: REASONS,
    ruleVersion: '1',
  },
  resolution: { payout: 1, won: true, profitUsdc: 987_654_321.99 },
};
const IDS = Array.from({ length: 60 }, (_, at) => Number.MAX_SAFE_INTEGER - at);
const ALERTS = IDS.map((id) => ({ ...WORST, id, log: { sequence: id, hash: HASH } }));
const POST = { alertId: IDS[0] ?? 0, threadId: 1, marketId: 'm', score: 72 };
const NEWS = { alertMessageId: null, wallet: WORST.wallet, followIds: [] };
const PERSONAL = { platform: 'telegram', isRealtime: true, occasion: 'evening' } as const;
const SITE = `https://${'tipoff.'.repeat(20)}example.com`;
const KEY = { keyId: `key_${'x'.repeat(22)}`, name: longest(100) };

/** The longest facts of every kind of message. A new kind does not compile without an entry. */
const FACTS: { readonly [Kind in ChatKind]: ChatFacts[Kind] } = {
  alert: POST,
  alert_update: { ...POST, isUpdated: true },
  alert_result: POST,
  daily_digest: {
    day: '2026-11-20',
    bets: 999_999,
    byType: { fresh: 333_333, fresh_accumulator: 333_333, cluster: 333_333 },
    changes: {
      ...{ won: 999_999, lost: 999_999, profitUsdc: -987_654_321.99 },
      settled: IDS.map((alertId) => ({ alertId, winner: longest(200) })),
      ...{ exits: IDS, moreExits: 999_999 },
    },
    record: { resolved: 999_999, markets: 999_999, won: 999_999, averageEntry: 0.9499 },
    unposted: { alertIds: IDS, more: 999_999 },
  },
  webhook_failing: {
    webhookId: `wh_${'x'.repeat(22)}`,
    url: `https://x.example/${'*'.repeat(2_000)}`,
    failures: 9_999,
  },
  key_first_used: KEY,
  key_leaked: { ...KEY, place: 'the comments of the Telegram channel', isDeleted: false },
  trial_reminder: { endsAt: NOW + 3 * DAY_MS },
  trial_ended: {
    endsAt: NOW,
    follows: { count: 50, limit: 10, paused: IDS.map(() => longest(300)) },
  },
  operator_note: { text: longest(3_500) },
  broadcast: { text: longest(3_500) },
  personal_alert: {
    ...{ ...POST, ...PERSONAL, wallet: WORST.wallet, isFollow: true },
    followIds: IDS.map((id) => `a${id}`),
    followNames: IDS.map(() => longest(100)),
  },
  personal_exit: { ...POST, ...PERSONAL, ...NEWS, exit: 1 },
  personal_result: { ...POST, ...PERSONAL, ...NEWS, seq: 1 },
  personal_mark: { ...POST, ...PERSONAL, alertMessageId: `personal:${POST.alertId}@cus_a`, seq: 1 },
  personal_list: {
    ...PERSONAL,
    listed: { alerts: IDS.map((alertId) => ({ alertId, isUnsure: true })), more: 999_999_999 },
  },
  personal_week: PERSONAL,
  personal_limit: { ...PERSONAL, listAt: NOW, zone: 'America/Argentina/Buenos_Aires', hasMore: true },
  operator_alarm: { alarm: 'feed_blind', sentence: longest(1_000), since: NOW - DAY_MS, until: null },
};

const SENT: PersonalAlertMessage = {
  ...personalOf(POST.alertId, 'cus_a', FACTS.personal_alert),
  ...{
    state: 'sent' as const,
    attempts: 1,
    error: null,
    place: '1',
    sentAt: NOW - HOUR_MS,
    unsureSince: null,
  },
};
const EXIT = exitOf({
  ...{ number: 999_999_999, heldShares: 0.001, peakShares: 9_876_543_210.9, profitUsdc: -987_654_321.99 },
  members: { out: 999, total: 1_000 },
});

function problems(screen: Screen): string[] {
  const keyboard = { inline_keyboard: toKeyboard(screen) };
  const forms = [...toParts(screen.body), toOnePart(screen.body)].flatMap(({ html, plain }) => [
    { text: html, parse_mode: 'HTML', reply_markup: keyboard },
    { text: plain, reply_markup: keyboard },
  ]);
  const telegram = forms
    .map((form) => contentOf(form))
    .flatMap((one) => ('code' in one ? [one.description ?? ''] : []));
  const discord = [toMessage(screen), toPlainMessage(screen)].map((form) => problemOf(form));
  return [...telegram, ...discord.filter((one) => one !== null)].map(
    (problem) => `${screen.name}: ${problem}`,
  );
}

describe('with the longest names, titles and numbers', () => {
  test.each(Object.keys(FACTS) as ChatKind[])(
    'a message of kind %s fits the limits of both platforms',
    async (kind) => {
      for (const channel of CHANNELS) {
        const headAt = () => ({ sequence: 999_999_999, hash: HASH });
        const reads = { headAt, channel, siteUrl: SITE, exit: EXIT, sent: [SENT] };
        const screen = await shown(kind, FACTS[kind], ALERTS, reads);
        expect(screen).not.toBeNull();
        expect(screen === null ? [] : problems(screen)).toEqual([]);
      }
    },
  );

  test('every screen of the conversation fits the limits of both platforms', async () => {
    const visit = await openConversationVisit();
    const { fixture } = visit;
    for (const _ of [1, 2, 3]) await getKey(visit, PRO).catch(() => getKey(visit));
    const keys = await fixture.keys();
    const name = '<&*_`|~[>'.repeat(12).slice(0, 100);
    for (const { id } of keys) await fixture.database.keys.rename(id, name);
    for (let id = 1; id <= 20; id += 1)
      await fixture.database.alerts.append({
        ...WORST,
        id,
        threadId: id,
        key: `w:${id}`,
        marketId: `0x${id}`,
        createdAt: fixture.clock.now(),
      });
    const screens = await everyScreen(visit);
    expect(new Set(screens.map((screen) => screen.name)).size).toBeGreaterThan(18);
    expect(JSON.stringify(screens)).toContain('<&*_`|~[>');
    expect(screens.flatMap(problems)).toEqual([]);
  });
});
