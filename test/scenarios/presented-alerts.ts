import { whyCommand } from '../../bots/admin/commands/why.ts';
import { alertDetails } from '../../bots/shared/conversation/alert-details.ts';
import { lastAlerts } from '../../bots/shared/conversation/last-alerts.ts';
import { createPresenter } from '../../bots/shared/posts/create-presenter.ts';
import type { Screen } from '../../bots/shared/screen.ts';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { EMPTY_LOG } from '../../src/core/alerts/log/log-entry.ts';
import { isHidden, type StatementStore } from '../../src/core/alerts/statements/statement-store.ts';
import type { ChatMessage } from '../../src/core/chat/chat-message.ts';
import type { Candidate } from '../../src/core/detection/candidate.ts';
import type { TradeRole } from '../../src/core/trades/trade.ts';
import { judgeAll } from '../support/judge-rows.ts';
import { readTape } from '../support/read-tape.ts';

export const HASH = '3f9a0c12e4b8d7aa'.padEnd(64, '0123456789abcdef');

export type Hidden = Pick<StatementStore, 'ofWallet'>;

const SHOWN: Hidden = { ofWallet: async () => [] };

export async function alertsOfTape(): Promise<Alert[]> {
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
    log: EMPTY_LOG,
  };
}

type PresentedKind = 'alert' | 'alert_update' | 'alert_result' | 'daily_digest';

async function presented(kind: PresentedKind, alert: Alert, hidden: Hidden = SHOWN): Promise<Screen> {
  const present = createPresenter({
    alerts: { byId: async () => alert },
    statements: hidden,
    log: { headAt: async () => ({ sequence: 1_234, hash: HASH }) },
    channelDelayMs: 300_000,
    siteUrl: 'https://tipoff.example.com',
    profileUrlOf: () => 'https://t.me/example_bot',
    clock: { now: () => alert.createdAt },
  });
  const ids = [alert.id];
  const facts = {
    ...{ alertId: alert.id, marketId: alert.marketId },
    unposted: { alertIds: ids, more: 0 },
    ...{ day: '2022-11-07', alerts: 1, byType: {}, topAlertIds: ids, hotMarkets: [] },
    ...{ results: { won: 0, lost: 0, profitUsdc: 0 }, record: { resolved: 0, won: 0, averageEntry: null } },
  };
  const recipient = 'channel:telegram';
  const screen = await present({ kind, facts, recipient } as unknown as ChatMessage);
  if (screen === null) throw new Error(`nothing is shown of ${kind}`);
  return screen;
}

async function inChat(alert: Alert, argument: string, hidden: Hidden = SHOWN): Promise<Screen> {
  const hiddenWallets = async () =>
    isHidden(await hidden.ofWallet(alert.wallet)) ? [alert.wallet, ...(alert.details.wallets ?? [])] : [];
  const deps = {
    alerts: { latest: async () => [alert], byId: async () => alert } as never,
    statements: { hiddenWallets },
    archive: {} as never,
    customers: { keysOf: async () => [] } as never,
    clock: { now: () => alert.createdAt },
    freeDelayMs: 0,
    siteUrl: 'https://tipoff.example.com',
  };
  const step = argument === '' ? lastAlerts(deps).steps['alerts'] : alertDetails(deps).steps['alert'];
  const screen = await step?.({ customer: { id: 'cus_a' }, argument } as never);
  if (screen === undefined) throw new Error('the conversation has no such step');
  return screen;
}

async function whyOf(alert: Alert, hidden: Hidden = SHOWN): Promise<Screen> {
  const deps = {
    alerts: { byId: async () => alert },
    database: { chat: { postsOf: async () => [] }, statements: hidden },
  };
  return (await whyCommand.run(String(alert.id), deps as never, 'telegram:1')) as Screen;
}

export const SCREENS = [
  ['the post in a channel', (alert: Alert, hidden?: Hidden) => presented('alert', alert, hidden)],
  ['its edit for a newer alert', (alert: Alert, hidden?: Hidden) => presented('alert_update', alert, hidden)],
  ['its edit for a result', (alert: Alert, hidden?: Hidden) => presented('alert_result', alert, hidden)],
  ['the digest', (alert: Alert, hidden?: Hidden) => presented('daily_digest', alert, hidden)],
  ['last alerts in chat', (alert: Alert, hidden?: Hidden) => inChat(alert, '', hidden)],
  ['the alert in chat', (alert: Alert, hidden?: Hidden) => inChat(alert, String(alert.id), hidden)],
  ['why', whyOf],
] as const;
