import { hash } from 'node:crypto';
import type { Screen } from '../../../bots/shared/screen.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { betOf } from '../../../src/core/alerts/bet.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import type { LogHead } from '../../../src/core/alerts/log/log-entry.ts';
import { HOUR_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatFacts, ChatKind, PersonalAlertMessage } from '../../../src/core/chat/chat-message.ts';
import { exitOf } from '../../support/alerts.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { type Reads, shown } from './presenter-fixture.ts';

const SITE_URL = 'https://tipoff.example.com';
const PLATFORM = { platform: 'telegram', isRealtime: false } as const;

/** Messages about what a person follows, of real alerts, for docs/bots.md: three alerts of one market, the first a position. */
export async function personalScreens(alerts: readonly Alert[]) {
  const [position, , order] = alerts as [Alert, Alert, Alert];
  const open = { ...position, resolution: null };
  const sent = sentAlert(open);
  const subject = { ...sent.facts, alertMessageId: sent.id };
  return {
    alert: await presented('personal_alert', sent.facts, [open]),
    brief: await presented('personal_alert', sentAlert(order).facts, [order], { sent: [sent] }),
    exit: await presented('personal_exit', { ...subject, exit: 1 }, [open], { exit: saleOf(position) }),
    result: await presented('personal_result', { ...subject, seq: 1 }, [position]),
  };
}

function sentAlert({ id, threadId, marketId, wallet, score, createdAt }: Alert) {
  const state = { state: 'sent', attempts: 1, error: null, place: '1', unsureSince: null } as const;
  const facts = { ...PLATFORM, threadId, marketId, wallet, score, followNames: ['Senate'] };
  const message = { ...personalOf(id, 'cus_a', { ...facts, dueAt: createdAt }), ...state, sentAt: createdAt };
  return message satisfies PersonalAlertMessage;
}

/** Three fifths of a position, three hours later at twice its price. */
function saleOf({ tradedAt, details: { positionShares: peakShares, marketAvgPrice } }: Alert): Exit {
  const soldShares = 0.6 * peakShares;
  const at = tradedAt + 3 * HOUR_MS;
  return exitOf({
    ...{
      number: 1,
      peakShares,
      soldShares,
      heldShares: peakShares - soldShares,
      salePrice: 2 * marketAvgPrice,
    },
    ...{ profitUsdc: soldShares * marketAvgPrice, tradedAt: at, alertedAt: tradedAt },
  });
}

export async function presented<Kind extends ChatKind>(
  kind: Kind,
  facts: ChatFacts[Kind],
  alerts: readonly Alert[],
  reads: Reads = {},
): Promise<Screen> {
  const now = (alerts[0]?.createdAt ?? 0) + HOUR_MS / 4;
  const screen = await shown(kind, facts, alerts, {
    siteUrl: SITE_URL,
    headAt: () => headOf(60),
    now,
    ...reads,
  });
  if (screen === null) throw new Error(`nothing is shown of ${kind}`);
  return screen;
}

export function digestOf(alerts: readonly Alert[]): ChatFacts['daily_digest'] {
  const [{ createdAt }] = alerts as [Alert];
  const results = alerts.flatMap(({ resolution }) => resolution ?? []);
  const won = results.filter((result) => result.won).length;
  return {
    day: new Date(createdAt).toISOString().slice(0, 10),
    bets: alerts.length,
    byType: Object.fromEntries(alerts.map(({ type }) => [type, 1])),
    changes: {
      ...{ won, lost: results.length - won, exits: [], moreExits: 0 },
      profitUsdc: alerts.reduce((sum, alert) => sum + (betOf(alert).resultUsdc ?? 0), 0),
      settled: alerts.map(({ id }) => ({ alertId: id, winner: 'Democratic' })),
    },
    record: { resolved: results.length, markets: 1, won, averageEntry: 0.524 },
    unposted: { alertIds: alerts.slice(1).map(({ id }) => id), more: 0 },
  };
}

export function headOf(seq: number): LogHead {
  return { seq, hash: hash('sha256', `example ${seq}`) };
}

export function postFacts({ id, threadId, marketId, score }: Alert): ChatFacts['alert'] {
  return { alertId: id, threadId, marketId, score };
}
