import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import { ratesOf } from '../alerts/figures/win-rates.ts';
import { utcDay } from '../base/text/formats.ts';
import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import type { Channel, NewChatMessage } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { changesBetween, type DigestChangesDeps } from './digest-changes.ts';
import type { DailyDigest } from './digest-facts.ts';

const PAGE_SIZE = 500;
const RECORD_DAYS = 30;

/** After this many days without a digest, the next one counts as the first. */
const MISSED_DAYS = 7;

interface DigestDeps extends DigestChangesDeps {
  readonly alerts: Pick<AlertStore, 'search' | 'preview'>;
  readonly chat: Pick<ChatStore, 'byId'>;
}

/**
 * Figures of one completed UTC day; `dayStart` is its midnight. Alerts from before the start of the service (history)
 * count in the record only, as in the published one. What was settled and sold covers the days since the previous digest (at most
 * a week). Null if there is nothing of that and no alert in the 30 days.
 */
export async function makeDailyDigest(
  deps: DigestDeps,
  dayStart: EpochMs,
  channels: readonly Channel[],
): Promise<DailyDigest | null> {
  const { alerts } = deps;
  const until = dayStart + DAY_MS - 1;
  const bets: Alert[] = [];
  for (let page = 1; ; page += 1) {
    const day = { since: dayStart, until, isPerBet: true };
    const found = await alerts.search(day, { page, pageSize: PAGE_SIZE });
    bets.push(...found.alerts.filter(({ isHistory }) => !isHistory));
    if (found.alerts.length < PAGE_SIZE) break;
  }
  const window = { since: dayStart + DAY_MS - RECORD_DAYS * DAY_MS, until, asOf: until, isPerBet: true };
  const { total, resolved, won, entrySum, markets } = await alerts.preview(window, { newest: 1 });
  const changes = await changesBetween(deps, {
    since: await endOfDigestBefore(deps.chat, dayStart, channels),
    until,
  });
  if (total === 0 && changes.settled.length === 0 && changes.exits.length === 0) return null;
  const { averageEntry } = ratesOf({ resolved, won, entrySum });
  const record = { resolved, markets: markets.resolved, won, averageEntry };
  return { day: utcDay(dayStart), ...figuresOf(bets), changes, record };
}

/** The midnight after the day of the newest earlier digest that was posted, or will be, in any channel. */
async function endOfDigestBefore(
  chat: DigestDeps['chat'],
  dayStart: EpochMs,
  channels: readonly Channel[],
): Promise<EpochMs> {
  for (let end = dayStart; end > dayStart - MISSED_DAYS * DAY_MS; end -= DAY_MS) {
    const found = await Promise.all(
      channels.map((channel) => chat.byId(digestId(utcDay(end - DAY_MS), channel))),
    );
    if (found.some((digest) => digest !== null && digest.state !== 'dropped' && digest.state !== 'failed'))
      return end;
  }
  return dayStart;
}

function digestId(day: string, channel: Channel): string {
  return `digest:${day}@${channel}`;
}

/** The digest for each channel, due now; none for null. Idempotent by day. */
export function digestMessages(
  digest: DailyDigest | null,
  channels: readonly Channel[],
  now: EpochMs,
): readonly NewChatMessage[] {
  if (digest === null) return [];
  return channels.map((channel) => ({
    id: digestId(digest.day, channel),
    recipient: `channel:${channel}`,
    kind: 'daily_digest',
    facts: digest,
    createdAt: now,
    dueAt: now,
  }));
}

/** `bets`: each by its newest alert. */
function figuresOf(bets: readonly Alert[]) {
  const types = [...Map.groupBy(bets, ({ type }) => type)].map(([type, of]) => [type, of.length] as const);
  return {
    bets: bets.length,
    byType: Object.fromEntries(types.toSorted(([a], [b]) => a.localeCompare(b))),
  };
}
