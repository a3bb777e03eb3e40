import type { Platform } from '../../../src/core/accounts/customers/customer.ts';
import { type Alert, namedWallets } from '../../../src/core/alerts/alert.ts';
import type { AlertStore } from '../../../src/core/alerts/alert-store.ts';
import type { ExitReader } from '../../../src/core/alerts/exits/exit-reader.ts';
import { type HiddenWallets, hiddenAddresses } from '../../../src/core/alerts/hidden-wallets.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import type {
  ChatFacts,
  ChatMessage,
  PersonalAlertMessage,
  PersonalKind,
} from '../../../src/core/chat/chat-message.ts';
import type { ChatStore } from '../../../src/core/chat/chat-store.ts';
import type { MarketPrices } from '../../../src/core/record/prices/market-prices.ts';
import type { Screen } from '../screen.ts';
import { type AlertContext, personalAlert } from './personal-alert.ts';
import { personalExit, personalLimit, personalResult, personalWeek } from './personal-events.ts';
import { personalList } from './personal-list.ts';
import { POST_STYLES } from './post-style.ts';

/** Characters per message on each platform. */
const ROOM: Readonly<Record<Platform, number>> = {
  telegram: POST_STYLES.telegram.digestRoom,
  discord: POST_STYLES.discord.digestRoom,
  terminal: POST_STYLES.telegram.digestRoom,
};

/** Sent without a sound: news about what the person already knows, and that there is none. */
const SILENT: ReadonlySet<PersonalKind> = new Set<PersonalKind>([
  'personal_exit',
  'personal_result',
  'personal_week',
  'personal_limit',
]);

interface PersonalPostDeps {
  readonly alerts: Pick<AlertStore, 'byId'>;
  readonly exits: Pick<ExitReader, 'ofList' | 'one'>;
  readonly hiddenWallets: Pick<HiddenWallets, 'list'>;
  readonly messages: Pick<ChatStore, 'byId' | 'toldTo' | 'countResultsBefore'>;
  readonly prices: Pick<MarketPrices, 'lastOf'>;
  /** Where the pages of alerts are, also of those that have none yet; null where people cannot open them. */
  readonly pagesUrl: string | null;
  readonly freeDelayMs: number;
  readonly clock: Pick<Clock, 'now'>;
}

type PersonalMessage = ChatMessage & { readonly kind: PersonalKind };

/** A message about what a person follows; null when there is nothing to report. Throws what the stores throw. */
export async function personalPost(message: PersonalMessage, deps: PersonalPostDeps): Promise<Screen | null> {
  const screen = await textOf(message, deps);
  const isSilent =
    message.kind === 'personal_alert' ? message.facts.isSilent === true : SILENT.has(message.kind);
  return screen && (isSilent ? { ...screen, isSilent } : screen);
}

async function textOf(message: PersonalMessage, deps: PersonalPostDeps): Promise<Screen | null> {
  const { kind, facts } = message;
  if (kind === 'personal_week') return personalWeek();
  if (kind === 'personal_limit') return personalLimit(facts, message.createdAt);
  if (kind === 'personal_list') return listOf(facts, deps);
  if (kind === 'personal_alert') return alertOf(message, deps);
  if (kind === 'personal_mark') {
    const sent = await deps.messages.byId(facts.alertMessageId);
    return sent?.kind === 'personal_alert' ? alertOf(sent, { ...deps, isMarked: true }) : null;
  }
  const alert = await deps.alerts.byId(facts.alertId);
  if (alert === null) return null;
  const context = await contextOf(alert, deps);
  if (kind === 'personal_exit') {
    const exit = await deps.exits.one(facts.exit);
    return exit && personalExit(alert, exit, context);
  }
  const exits = await deps.exits.ofList([alert], deps.clock.now());
  const { threadId, seq } = facts;
  const isCorrection = (await deps.messages.countResultsBefore(message.recipient, threadId, seq)) > 0;
  return personalResult(alert, { exit: exits.get(alert.id) ?? null, isCorrection }, context);
}

async function contextOf(
  { wallet, createdAt }: Alert,
  { hiddenWallets, pagesUrl, freeDelayMs, clock }: PersonalPostDeps,
): Promise<AlertContext> {
  const isPublic = createdAt <= clock.now() - freeDelayMs;
  return {
    isWalletHidden: (await hiddenAddresses(hiddenWallets)).has(wallet),
    siteUrl: isPublic ? pagesUrl : null,
  };
}

async function alertOf(
  message: PersonalAlertMessage,
  { isMarked = false, ...deps }: PersonalPostDeps & { readonly isMarked?: boolean },
): Promise<Screen | null> {
  const { alertId, followNames: follows } = message.facts;
  const alert = await deps.alerts.byId(alertId);
  if (alert === null) return null;
  const isBrief = await wasToldBefore(message, deps.messages);
  const priceNow = alert.resolution === null ? await deps.prices.lastOf(alert, deps.clock.now()) : null;
  const state = { isBrief, isMarked, priceNow, follows: (await hasHidden(alert, deps)) ? [] : follows };
  return personalAlert(alert, { ...(await contextOf(alert, deps)), ...state });
}

/** Whether any wallet of the alert is hidden: its nickname or address may be among the matched follows. */
async function hasHidden(alert: Alert, { hiddenWallets }: PersonalPostDeps): Promise<boolean> {
  const hidden = await hiddenAddresses(hiddenWallets);
  return namedWallets(alert).some((wallet) => hidden.has(wallet));
}

/**
 * Whether the person had been sent an alert of the same wallet or market in the day before. The answer for a message that was
 * sent is the one that it was sent with: messages to a person are sent one after the other.
 */
async function wasToldBefore(
  { id, recipient, createdAt, sentAt, facts }: PersonalAlertMessage,
  messages: PersonalPostDeps['messages'],
): Promise<boolean> {
  const told = await messages.toldTo(recipient, createdAt - DAY_MS);
  const until = sentAt ?? Number.POSITIVE_INFINITY;
  return told
    .filter((other) => other.id !== id && other.sentAt !== null && other.sentAt < until)
    .some((other) => other.facts.wallet === facts.wallet || other.facts.marketId === facts.marketId);
}

async function listOf(
  { occasion, platform, listed = { alerts: [], more: 0 } }: ChatFacts['personal_list'],
  { alerts, exits, clock }: PersonalPostDeps,
): Promise<Screen | null> {
  const found = await Promise.all(
    listed.alerts.map(async ({ alertId, isUnsure }) => ({ alert: await alerts.byId(alertId), isUnsure })),
  );
  const told = found.flatMap(({ alert, isUnsure }) => (alert === null ? [] : [{ alert, isUnsure }]));
  const known = await exits.ofList(
    told.map(({ alert }) => alert),
    clock.now(),
  );
  return personalList({
    isAfterQuiet: occasion === 'quiet',
    alerts: told.map((each) => ({ ...each, exit: known.get(each.alert.id) ?? null })),
    more: listed.more,
    room: ROOM[platform],
  });
}
