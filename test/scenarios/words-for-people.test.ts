import { beforeAll, describe, expect, test } from 'vitest';
import { whyCommand } from '../../bots/admin/commands/why.ts';
import { toMessage } from '../../bots/discord/screen-message.ts';
import { alertDetails } from '../../bots/shared/conversation/alert-details.ts';
import type { ConversationDeps } from '../../bots/shared/conversation/feature.ts';
import { lastAlerts } from '../../bots/shared/conversation/last-alerts.ts';
import { createPresenter } from '../../bots/shared/posts/create-presenter.ts';
import type { Screen } from '../../bots/shared/screen.ts';
import { toOnePart } from '../../bots/telegram/render.ts';
import { screenText } from '../../bots/terminal/screen-text.ts';
import type { Alert as AlertJson } from '../../clients/typescript/src/index.ts';
import {
  describeTrade as describeJson,
  describeResult as describeJsonResult,
} from '../../examples/alert-words.ts';
import { alertLines } from '../../src/cli/demo-screen.ts';
import { type Alert, namedWallets } from '../../src/core/alerts/alert.ts';
import { describeResult, describeTrade } from '../../src/core/alerts/describe-alert.ts';
import type { HiddenWallets } from '../../src/core/alerts/hidden-wallets.ts';
import { EMPTY_LOG } from '../../src/core/alerts/log/log-entry.ts';
import { shortWallet } from '../../src/core/base/text/formats.ts';
import type { ChatMessage } from '../../src/core/chat/chat-message.ts';
import { ALERT_TYPES, type Candidate } from '../../src/core/detection/candidate.ts';
import type { TradeRole } from '../../src/core/trades/trade.ts';
import { alertView } from '../../src/http/views/alert-view.ts';
import { NO_CHANGES } from '../support/chat/messages.ts';
import { judgeAll } from '../support/judge-rows.ts';
import { memoryLog, sealed, settlementsAt } from '../support/log-entries.ts';
import { readTape } from '../support/read-tape.ts';

const HASH = '3f9a0c12e4b8d7aa'.padEnd(64, '0123456789abcdef');

type Hidden = Pick<HiddenWallets, 'list'>;

const SHOWN: Hidden = { list: async () => [] };

async function alertsOfTape(): Promise<Alert[]> {
  const { rows } = await readTape('data/tapes/midterms-2022.jsonl.gz');
  return judgeAll(rows).map(asAlert);
}

function asAlert(candidate: Candidate, index: number): Alert {
  const { tradedAt: at } = candidate;
  return {
    ...candidate,
    // The tape names no roles.
    details: { ...candidate.details, role: [null, 'taker', 'maker'][index % 3] as TradeRole | null },
    id: index + 1,
    threadId: index + 1,
    supersedes: null,
    detectedAt: at,
    publishedAt: at,
    createdAt: at,
    isHistory: false,
    resolution: null,
    withdrawn: null,
    log: EMPTY_LOG,
  };
}

type PresentedKind = 'alert' | 'alert_update' | 'alert_result' | 'daily_digest';

async function presented(kind: PresentedKind, alert: Alert, hidden: Hidden = SHOWN): Promise<Screen> {
  const present = createPresenter({
    alerts: {
      byId: async () => alert,
      visible: async () => alert,
      search: async () => ({ alerts: [], total: 0 }),
    },
    exits: { ofList: async () => new Map(), one: async () => null },
    hiddenWallets: hidden,
    log: memoryLog(sealed(settlementsAt(alert.createdAt))),
    messages: {
      byId: async () => null,
      toldTo: async () => [],
      countResultsBefore: async () => 0,
      postsOfThread: async () => [],
    },
    prices: { lastOf: async () => null },
    channelDelayMs: 300_000,
    freeDelayMs: 300_000,
    siteUrl: 'https://tipoff.example.com',
    pagesUrl: 'https://tipoff.example.com',
    contact: null,
    profileUrlOf: () => 'https://t.me/example_bot',
    clock: { now: () => alert.createdAt },
  });
  const ids = [alert.id];
  const facts = {
    ...{ alertId: alert.id, marketId: alert.marketId },
    unposted: { alertIds: ids, more: 0 },
    ...{ day: '2022-11-07', bets: 1, byType: {}, hotMarkets: [], changes: NO_CHANGES },
    ...{ results: { won: 0, lost: 0, profitUsdc: 0 }, record: { resolved: 0, won: 0, averageEntry: null } },
  };
  const recipient = 'channel:telegram';
  const screen = await present({ kind, facts, recipient } as unknown as ChatMessage);
  if (screen === null) throw new Error(`nothing is shown of ${kind}`);
  return screen;
}

async function inChat(alert: Alert, argument: string, hidden: Hidden = SHOWN): Promise<Screen> {
  const deps = {
    alerts: { search: async () => ({ alerts: [alert], total: 1 }), visible: async () => alert },
    exits: { ofAlert: async () => ({ state: 'unknown', exits: [] }), ofList: async () => new Map() },
    hiddenWallets: hidden,
    customers: { keysOf: async () => [] },
    clock: { now: () => alert.createdAt },
    freeDelayMs: 0,
    siteUrl: 'https://tipoff.example.com',
  } as unknown as ConversationDeps;
  const step = argument === '' ? lastAlerts(deps).steps['alerts'] : alertDetails(deps).steps['alert'];
  const screen = await step?.({ customer: { id: 'cus_a' }, argument } as never);
  if (screen === undefined) throw new Error('the conversation has no such step');
  return screen;
}

async function whyOf(alert: Alert, hidden: Hidden = SHOWN): Promise<Screen> {
  const deps = {
    alerts: { byId: async () => alert },
    database: {
      chat: { postsOf: async () => [] },
      hiddenWallets: hidden,
      exits: { ofThreads: async () => [] },
    },
  };
  return (await whyCommand.run(String(alert.id), deps as never, 'telegram:1')) as Screen;
}

const SCREENS = [
  ['the post in a channel', (alert: Alert, hidden?: Hidden) => presented('alert', alert, hidden)],
  ['its edit for a newer alert', (alert: Alert, hidden?: Hidden) => presented('alert_update', alert, hidden)],
  ['its edit for a result', (alert: Alert, hidden?: Hidden) => presented('alert_result', alert, hidden)],
  ['the digest', (alert: Alert, hidden?: Hidden) => presented('daily_digest', alert, hidden)],
  ['last alerts in chat', (alert: Alert, hidden?: Hidden) => inChat(alert, '', hidden)],
  ['the alert in chat', (alert: Alert, hidden?: Hidden) => inChat(alert, String(alert.id), hidden)],
  ['why', whyOf],
] as const;

const plain = (_style: unknown, text: string) => text;

function hiding(wallets: readonly string[]): Hidden {
  return { list: async () => wallets.map((wallet) => ({ wallet, reason: null, at: 0 })) };
}

/** What an alert is about as a whole: the position of its wallet, or the cluster. */
function wholeOf({ type, details }: Alert) {
  const { marketBuyCount, marketTotalBought, marketAvgPrice, positionShares } = details;
  const { wallets, clusterTotal = 0, clusterShares = 0, clusterAvgPrice = 0 } = details;
  return type === 'cluster'
    ? { usdc: clusterTotal, shares: clusterShares, count: wallets?.length ?? 0, price: clusterAvgPrice }
    : { usdc: marketTotalBought, shares: positionShares, count: marketBuyCount, price: marketAvgPrice };
}

const dollarsIn = (text: string) =>
  [...text.matchAll(/\$([\d,]+(?:\.\d\d)?)/g)].map(([, digits = '']) => Number(digits.replaceAll(',', '')));
const pricesIn = (text: string) => [...text.matchAll(/([\d.]+)¢/g)].map(([, digits]) => Number(digits) / 100);

/**
 * The line that says what was bought and what it wins; reasons of the score, in other lines, do not count. The digest does not
 * say in how many buys.
 */
function expectWhole(text: string, alert: Alert, isInDigest = false): void {
  const { usdc, shares, count, price } = wholeOf(alert);
  const line = text.split('\n').find((one) => / on .* to win /.test(one)) ?? '';
  const said = dollarsIn(line);
  expect(said[0]).toBe(Math.round(usdc));
  expect(Math.abs((said.at(-1) ?? 0) - (shares - usdc))).toBeLessThan(0.51);
  expect(Math.min(...pricesIn(line).map((said) => Math.abs(said - price)))).toBeLessThanOrEqual(0.000_501);
  if (count > 1 && !(isInDigest && alert.type !== 'cluster'))
    expect(text).toMatch(new RegExp(`\\b${count} (buys|wallets)\\b`));
}

/** Those that name the alert's wallet unless it is hidden. */
const NAMING: ReadonlySet<string> = new Set([
  'the post in a channel',
  'its edit for a newer alert',
  'its edit for a result',
  'why',
]);

const PLATFORMS = [
  (screen: Screen) => toOnePart(screen.body).html,
  (screen: Screen) => toOnePart(screen.body).plain,
  (screen: Screen) => toMessage(screen).content,
  (screen: Screen) => screenText(screen, { style: plain, width: null }),
];

const jsonOf = (alert: Alert) => alertView(alert) as AlertJson;

describe('of every alert on the midterms tape', () => {
  let alerts: readonly Alert[] = [];
  beforeAll(async () => {
    alerts = await alertsOfTape();
    expect(new Set(alerts.map(({ type }) => type))).toEqual(new Set(ALERT_TYPES));
    expect(alerts.some(({ type, details }) => type === 'fresh' && details.marketBuyCount > 1)).toBe(true);
  });

  test.each(SCREENS)(
    '%s names the dollars, count and price of the position and what it wins, on every platform',
    async (name, screenOf) => {
      for (const alert of alerts) {
        const screen = await screenOf(alert);
        for (const drawn of PLATFORMS) expectWhole(drawn(screen), alert, name === 'the digest');
      }
    },
  );

  test.each(SCREENS)(
    '%s never has the address of a hidden wallet, on any platform',
    async (_name, screenOf) => {
      for (const alert of alerts) {
        const { wallet } = alert;
        const screen = await screenOf({ ...alert, log: { seq: 7, hash: HASH } }, hiding(namedWallets(alert)));
        for (const drawn of PLATFORMS) {
          const text = drawn(screen).toLowerCase();
          for (const part of [wallet, shortWallet(wallet), wallet.slice(2, 8)])
            expect(text).not.toContain(part);
          expect(text).not.toContain('/profile/');
          if (NAMING.has(_name)) expect(text).toContain('a hidden wallet');
        }
      }
    },
  );

  test('the demo’s lines name them too, and break no market at 80 columns', () => {
    for (const alert of alerts) {
      const lines = alertLines(alert, { time: '20:15:07', before: null, exit: null }, { style: plain });
      expectWhole(lines.join('\n'), alert);
      for (const line of lines.slice(0, 2)) expect(line.length > 80 ? line : '').toBe('');
    }
  });

  test('watch says the same from the JSON as the service from its alert', () => {
    for (const alert of alerts) {
      expect(describeJson(jsonOf(alert))).toBe(describeTrade(alert));
      expectWhole(describeJson(jsonOf(alert)), alert);
    }
  });

  test.each([0, 0.5, 1])('the result at a payout of %d is what the position won or lost', (payout) => {
    for (const alert of alerts) {
      const { usdc, shares } = wholeOf(alert);
      const profitUsdc = alert.shares * payout - alert.usdc;
      const settled = { ...alert, resolution: { payout, won: payout === 1, profitUsdc } };
      const words = describeResult(settled, null) ?? '';
      expect(describeJsonResult(jsonOf(settled))).toBe(words);
      const { heldShare, isPositionKnown } = alert.details;
      const profit = shares * payout - usdc;
      expect(words).toMatch(profit > 0 ? /^✅ / : /^❌ /);
      const held = Math.abs(profit * (isPositionKnown ? heldShare : 1));
      expect(Math.abs((dollarsIn(words)[0] ?? 0) - held)).toBeLessThan(0.51);
    }
  });
});
