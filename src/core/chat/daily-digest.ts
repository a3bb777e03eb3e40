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
  const sum = createDaySum();
  for (let page = 1; ; page += 1) {
    const found = await alerts.search({ since: dayStart, until }, { page, pageSize: PAGE_SIZE });
    for (const alert of found.alerts) if (!alert.isHistory) sum.add(alert);
    if (found.alerts.length < PAGE_SIZE) break;
  }
  const window = { since: dayStart + DAY_MS - RECORD_DAYS * DAY_MS, until };
  const { total, resolved, won, entrySum, markets } = await alerts.preview(window, { newest: 1 });
  if (total === 0) return null;
  const { averageEntry } = ratesOf({ resolved, won, entrySum });
  const day = new Date(dayStart).toISOString().slice(0, 10);
  return { day, ...sum.figures(), record: { resolved, markets: markets.resolved, won, averageEntry } };
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

type Ranked = Pick<Alert, 'id' | 'score' | 'usdc'>;
type HotMarket = DailyDigest['hotMarkets'][number];

/** Sums up alerts, in any order. */
function createDaySum() {
  const byType = new Map<string, number>();
  const markets = new Map<string, HotMarket>();
  const newest = new Map<number, Ranked>();
  let count = 0;
  let won = 0;
  let lost = 0;
  let profitUsdc = 0;

  function addResult({ resolution }: Alert): void {
    if (resolution === null) return;
    if (resolution.won) won += 1;
    else lost += 1;
    profitUsdc += resolution.profitUsdc;
  }

  return {
    add(alert: Alert): void {
      count += 1;
      byType.set(alert.type, (byType.get(alert.type) ?? 0) + 1);
      const sum = markets.get(alert.marketId);
      markets.set(alert.marketId, {
        title: sum?.title ?? alert.eventTitle,
        slug: sum?.slug ?? alert.eventSlug,
        alerts: (sum?.alerts ?? 0) + 1,
        usdc: (sum?.usdc ?? 0) + alert.usdc,
      });
      const { id, threadId } = alert;
      if (id >= (newest.get(threadId)?.id ?? id))
        newest.set(threadId, { id, score: alert.score, usdc: alert.usdc });
      addResult(alert);
    },
    figures: () => ({
      alerts: count,
      byType: Object.fromEntries([...byType].toSorted(([a], [b]) => a.localeCompare(b))),
      topAlertIds: [...newest.values()]
        .toSorted(byScore)
        .slice(0, TOP)
        .map(({ id }) => id),
      hotMarkets: [...markets.values()].toSorted(byAlerts).slice(0, TOP),
      results: { won, lost, profitUsdc: Math.round(profitUsdc * 100) / 100 },
    }),
  };
}

function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || b.usdc - a.usdc || a.id - b.id;
}

function byAlerts(a: HotMarket, b: HotMarket): number {
  return b.alerts - a.alerts || b.usdc - a.usdc || a.slug.localeCompare(b.slug);
}
