import { createPresenter } from '../../../bots/shared/posts/create-presenter.ts';
import { plainText, type Screen } from '../../../bots/shared/screen.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import type { LogEntry, LogHead } from '../../../src/core/alerts/log/log-entry.ts';
import { type EpochMs, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type {
  Channel,
  ChatFacts,
  ChatKind,
  ChatMessage,
  PersonalAlertMessage,
  PostMessage,
} from '../../../src/core/chat/chat-message.ts';
import { alertOf } from '../../support/alerts.ts';
import { postOf } from '../../support/chat/messages.ts';

export const NOW = Date.UTC(2026, 10, 21, 20, 15);
export const MARKET = 'https://polymarket.com/event/will-the-measure-pass';
export const NOTE = 'Neither proof nor advice: /about in the bot explains what an alert means.';
const ALERT = alertOf({ id: 1, tradedAt: NOW - 17 * MINUTE_MS, entryPrice: 0.125, usdc: 12_340.4 });
export const PLAIN = { ...ALERT, details: { ...ALERT.details, toWinUsdc: 86_382.8 } };

export const HASH = '3f9a0c12e4b8d7aa'.padEnd(64, '0');
const PROFILES: Readonly<Record<Channel, string>> = {
  telegram: 'https://t.me/example_bot',
  discord: 'https://discord.com/users/1',
};
export const DELAY_MS = 5 * MINUTE_MS;

/** What the presenter reads beside the alerts: no wallet is hidden and nothing is in the log unless given; null is away. */
export interface Reads {
  readonly hiddenWallets?: readonly string[] | null;
  readonly channel?: Channel;
  readonly profileUrl?: string | null;
  readonly siteUrl?: string | null;
  readonly headAt?: (until: number) => LogHead | null;
  /** Of the first alert. */
  readonly exit?: Exit;
  /** Alerts that the person was sent before. */
  readonly sent?: readonly PersonalAlertMessage[];
  /** Alerts of the same wallet whose posts are in the channel, newest first. */
  readonly posted?: readonly Alert[];
  /** Number of other results of the thread that the person was sent before. */
  readonly resultsBefore?: number;
  /** The last price of the outcome. */
  readonly priceNow?: number;
  readonly now?: EpochMs;
}

export async function shown<Kind extends ChatKind>(
  kind: Kind,
  facts: ChatFacts[Kind],
  alerts: readonly Alert[] = [PLAIN],
  {
    hiddenWallets = [],
    headAt = () => null,
    channel = 'telegram',
    profileUrl,
    siteUrl = null,
    exit,
    sent = [],
    resultsBefore = 0,
    priceNow,
    posted = [],
    now = NOW,
  }: Reads = {},
): Promise<Screen | null> {
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  const present = createPresenter({
    prices: { lastOf: async () => priceNow ?? null },
    alerts: {
      byId: async (id) => byId.get(id) ?? null,
      visible: async (id) => byId.get(id) ?? null,
      search: async () => ({ alerts: posted, total: posted.length }),
    },
    exits: {
      ofList: async () => new Map(exit && [[alerts[0]?.id ?? 0, exit]]),
      one: async () => exit ?? null,
    },
    hiddenWallets: {
      async list() {
        if (hiddenWallets === null) throw new Error('the database is away');
        return hiddenWallets.map((wallet) => ({ wallet, reason: null, at: 0 }));
      },
    },
    log: { headAt: async (at) => headAt(at) as LogEntry | null },
    channelDelayMs: DELAY_MS,
    freeDelayMs: DELAY_MS,
    siteUrl,
    pagesUrl: siteUrl,
    messages: {
      byId: async (id) => sent.find((message) => message.id === id) ?? null,
      toldTo: async () => sent,
      countResultsBefore: async () => resultsBefore,
      postsOfThread: async ({ threadId }) =>
        posted.some(({ id }) => id === threadId)
          ? [{ ...postOf(threadId), state: 'sent', sentAt: now - 1 } as unknown as PostMessage]
          : [],
    },
    contact: 'https://tipoff.example.com/contact',
    profileUrlOf: () => (profileUrl === undefined ? PROFILES[channel] : profileUrl),
    clock: { now: () => now },
  });
  const state = {
    state: 'sending',
    attempts: 0,
    error: null,
    place: null,
    sentAt: null,
    unsureSince: null,
  } as const;
  const recipient = kind.startsWith('personal_') ? 'customer:cus_a' : `channel:${channel}`;
  const rest = { id: 'a', recipient, createdAt: NOW, dueAt: NOW } as const;
  return present({ ...rest, ...state, kind, facts } as unknown as ChatMessage);
}

export async function text<Kind extends ChatKind>(
  kind: Kind,
  facts: ChatFacts[Kind],
  alerts?: readonly Alert[],
  reads?: Reads,
) {
  const screen = await shown(kind, facts, alerts, reads);
  return screen === null ? null : plainText(screen);
}
