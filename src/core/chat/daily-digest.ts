import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import { ratesOf } from '../record/win-rates.ts';
import type { Channel, DailyDigest, NewChatMessage } from './chat-message.ts';

const PAGE_SIZE = 500;
const TOP = 5;
const RECORD_DAYS = 30;

/**
 * Figures of one completed UTC day; `dayStart` is its midnight. Alerts from before the start of the service (history)
 * count in the record only, as in the published one. Null without any alert in the 30 days.
 */
export async function makeDailyDigest(
  alerts: Pick<AlertStore, 'search' | 'preview'>,
  dayStart: EpochMs,
): Promise<DailyDigest | null> {
  const until = dayStart + DAY_MS - 1;
  const dayAlerts: Alert[] = [];
  for (let page = 1; ; page += 1) {
    const found = await alerts.search({ since: dayStart, until }, { page, pageSize: PAGE_SIZE });
    dayAlerts.push(...found.alerts.filter(({ isHistory }) => !isHistory));
    if (found.alerts.length < PAGE_SIZE) break;
  }
  const window = { since: dayStart + DAY_MS - RECORD_DAYS * DAY_MS, until };
  const { total, resolved, won, entrySum, markets } = await alerts.preview(window, { newest: 1 });
  if (total === 0) return null;
  const { averageEntry } = ratesOf({ resolved, won, entrySum });
  const day = new Date(dayStart).toISOString().slice(0, 10);
  return { day, ...figuresOf(dayAlerts), record: { resolved, markets: markets.resolved, won, averageEntry } };
}

/** The digest for each channel, due now; none for null. Idempotent by day. */
export function digestMessages(
  digest: DailyDigest | null,
  channels: readonly Channel[],
  now: EpochMs,
): readonly NewChatMessage[] {
  if (digest === null) return [];
  return channels.map((channel) => ({
    id: `digest:${digest.day}@${channel}`,
    recipient: `channel:${channel}`,
    kind: 'daily_digest',
    facts: digest,
    createdAt: now,
    dueAt: now,
  }));
}

function figuresOf(alerts: readonly Alert[]) {
  const newest = new Map<number, Alert>();
  for (const alert of alerts)
    if (alert.id >= (newest.get(alert.threadId)?.id ?? 0)) newest.set(alert.threadId, alert);
  const settled = alerts.flatMap(({ resolution }) => resolution ?? []);
  const won = settled.filter((resolution) => resolution.won).length;
  const profitUsdc = settled.reduce((sum, resolution) => sum + resolution.profitUsdc, 0);
  const types = [...Map.groupBy(alerts, ({ type }) => type)].map(([type, of]) => [type, of.length] as const);
  return {
    alerts: alerts.length,
    byType: Object.fromEntries(types.toSorted(([a], [b]) => a.localeCompare(b))),
    topAlertIds: [...newest.values()]
      .toSorted(byScore)
      .slice(0, TOP)
      .map(({ id }) => id),
    hotMarkets: [...Map.groupBy(alerts, ({ marketId }) => marketId).values()]
      .map(marketOf)
      .toSorted((a, b) => b.alerts - a.alerts || b.usdc - a.usdc || a.slug.localeCompare(b.slug))
      .slice(0, TOP),
    results: { won, lost: settled.length - won, profitUsdc: Math.round(profitUsdc * 100) / 100 },
  };
}

function byScore(a: Alert, b: Alert): number {
  return b.score - a.score || b.usdc - a.usdc || a.id - b.id;
}

function marketOf(alerts: readonly Alert[]): DailyDigest['hotMarkets'][number] {
  return {
    title: alerts[0]?.eventTitle ?? '',
    slug: alerts[0]?.eventSlug ?? '',
    alerts: alerts.length,
    usdc: alerts.reduce((sum, { usdc }) => sum + usdc, 0),
  };
}
