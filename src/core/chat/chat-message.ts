import { BOT_PLATFORMS, type Platform } from '../accounts/customers/customer.ts';
import { DAY_MS, type EpochMs, HOUR_MS } from '../base/time/duration.ts';
import type { AlarmName } from '../operations/operator-alarm.ts';
import type { DailyDigest, UnpostedAlerts } from './digest-facts.ts';

/** The channels that alerts are posted in. */
export const CHANNELS = BOT_PLATFORMS;
/** A platform with a channel. */
export type Channel = (typeof CHANNELS)[number];

/** The bots. On Telegram the operator may have a separate bot. */
export type BotName = Channel | 'telegram_admin';

/** Recipient of a message: a channel, a customer, the owner of a key, or an operator by their id on a platform. */
export type Recipient =
  | `channel:${Channel}`
  | `customer:${string}`
  | `key:${string}`
  | `operator:${Channel}:${string}`;

/** The alert that a post shows: stored is the post's own alert; at sending it becomes the newest of its thread. */
interface AlertFacts {
  readonly alertId: number;
  /** The first alert of its thread. */
  readonly threadId: number;
  /** Set at sending: the post showed an earlier alert of the thread before. */
  readonly isUpdated?: boolean;
}

/** What all messages about a person's follows have in common, as of when they were queued. */
export interface PersonalFacts {
  /** Of the person. */
  readonly platform: Platform;
  /** False: at the free delay. */
  readonly isRealtime: boolean;
}

/** The alert that a personal message is about. */
interface PersonalSubject extends PersonalFacts {
  readonly alertId: number;
  /** The first alert of its thread. */
  readonly threadId: number;
  readonly marketId: string;
}

/** What became of an alert; `alertId` is the newest of its thread that the person was, or could have been, told about. */
interface PersonalLater extends PersonalSubject {
  /** The message that told, or will tell, the person about the alert; null: they only follow its wallet or market. */
  readonly alertMessageId: string | null;
}

/** The same, as a separate message that is judged again when it is sent. */
interface PersonalNews extends PersonalLater {
  /** That traded. */
  readonly wallet: string;
  /** Their follows of the wallet or the market: the only reason to tell them where there is no message about the alert. */
  readonly followIds: readonly string[];
}

/** Content of a message by kind, from which its text is made. Holds no secrets. */
export interface ChatFacts {
  /** A channel's post of an alert; edited when its thread has a newer alert, and when the market resolves. */
  readonly alert: AlertFacts & {
    readonly marketId: string;
    /** Score of the post's own alert, 0 to 100. */
    readonly score: number;
  };
  /** An alert whose thread already has a post: that post is edited, or gets a reply. */
  readonly alert_update: ChatFacts['alert'];
  /** The content of an alert's post has changed (its outcome, or a hidden wallet): the post is edited, or gets a reply. */
  readonly alert_result: AlertFacts & {
    /** The place of an answer to the post, which is edited instead of the post. */
    readonly answer?: string;
  };
  /** The figures of the previous day, from when the job ran, and what the channel did not get, looked up at sending. */
  readonly daily_digest: DailyDigest & { readonly unposted?: UnpostedAlerts };
  readonly webhook_failing: { readonly webhookId: string; readonly url: string; readonly failures: number };
  readonly key_first_used: { readonly keyId: string; readonly name: string };
  /** A key was found in a public message. `isDeleted`: whether the message is gone. */
  readonly key_leaked: {
    readonly keyId: string;
    readonly name: string;
    readonly place: string;
    readonly isDeleted: boolean;
  };
  readonly trial_reminder: { readonly endsAt: EpochMs };
  /** `follows`: how many count without the limit of Free, that limit, and the names of those that it pauses; absent where it pauses none. */
  readonly trial_ended: {
    readonly endsAt: EpochMs;
    readonly follows?: { readonly count: number; readonly limit: number; readonly paused: readonly string[] };
  };
  /** A change by the operator; `text` says what. */
  readonly operator_note: { readonly text: string };
  readonly broadcast: { readonly text: string };
  /** An alert that a person follows. */
  readonly personal_alert: PersonalSubject & {
    /** 0 to 100. */
    readonly score: number;
    readonly wallet: string;
    /** Their follows that matched, the oldest first. */
    readonly followIds: readonly string[];
    /** Their names then (`followName`), in the same order: a text that was sent does not change with them. */
    readonly followNames: readonly string[];
    /** Whether a followed wallet or market is among these. */
    readonly isFollow: boolean;
    /** Set at sending: all that match, and are active, are to be told without a sound. */
    readonly isSilent?: boolean;
  };
  /** A sale in a thread that a person was told about, or whose wallet or market they follow. `exit`: its number. */
  readonly personal_exit: PersonalNews & { readonly exit: number };
  /** The outcome of a thread's market; `seq` grows with a correction. */
  readonly personal_result: PersonalNews & { readonly seq: number };
  /** Puts the outcome's sign before an alert that was sent: an edit. */
  readonly personal_mark: PersonalLater & { readonly alertMessageId: string; readonly seq: number };
  /** What a person was not sent since their last list, looked up at sending. `occasion`: `evening`, or `quiet` at the end of quiet hours. */
  readonly personal_list: PersonalFacts & {
    readonly occasion: 'evening' | 'quiet';
    readonly listed?: ListedAlerts;
  };
  /** The day of a person is full, for filters or for everything; once per day. */
  readonly personal_limit: PersonalFacts & {
    /** When the list comes that has the rest. */
    readonly listAt: EpochMs;
    /** Of the person, as an IANA name. */
    readonly zone: string;
    /** Whether alerts of followed wallets and markets still come. */
    readonly hasMore: boolean;
  };
  /** Nothing matched a person's follows for a week. */
  readonly personal_week: PersonalFacts;
  /** For the operator: something has been wrong since a moment; with `until`, it is over. */
  readonly operator_alarm: {
    readonly alarm: AlarmName;
    readonly sentence: string;
    readonly since: EpochMs;
    readonly until: EpochMs | null;
  };
}

/** The kinds of messages. */
export type ChatKind = keyof ChatFacts;

/** The kinds of messages about a person's follows. */
export type PersonalKind = Extract<ChatKind, `personal_${string}`>;

/** The threads of a person's list. */
export interface ListedAlerts {
  /** The newest alert of each thread, the highest score first; at most 100. `isUnsure`: it may have been sent before. */
  readonly alerts: readonly { readonly alertId: number; readonly isUnsure: boolean }[];
  /** Number of threads beyond these. */
  readonly more: number;
}

/** A message that is not in the outbox yet. */
export type NewChatMessage = {
  readonly [Kind in ChatKind]: {
    /** Unique and deterministic: the same occasion and recipient give the same id. */
    readonly id: string;
    readonly recipient: Recipient;
    readonly kind: Kind;
    readonly facts: ChatFacts[Kind];
    readonly createdAt: EpochMs;
    /** Earliest moment of sending. */
    readonly dueAt: EpochMs;
  };
}[ChatKind];

/**
 * `pending`: waits to be sent or retried. `sending`: claimed by a process. `folded`: not among the posts of its day, but listed
 * in the digest. `dropped`: obsolete before it was sent. `withdrawn`: sent and removed. `failed`: will not be sent (again).
 * `unknown`: may have been sent, and is not sent again; the operator is told.
 */
export const CHAT_STATES = [
  'pending',
  'sending',
  'sent',
  'failed',
  'folded',
  'dropped',
  'withdrawn',
  'unknown',
] as const;
export type ChatState = (typeof CHAT_STATES)[number];

/** A message in the outbox. */
export type ChatMessage = NewChatMessage & {
  readonly state: ChatState;
  readonly attempts: number;
  /** Error of the last attempt, in a few words; null without one. */
  readonly error: string | null;
  /** Reference to the message on its platform, as the messenger returned it; null before it was sent. */
  readonly place: string | null;
  readonly sentAt: EpochMs | null;
  /** Start of the first attempt that may have sent it, while that is not known; else null. */
  readonly unsureSince: EpochMs | null;
};

/** A channel's post of an alert, or an update of its thread's post. */
export type PostMessage = ChatMessage & { readonly kind: 'alert' | 'alert_update' };

/** An alert to a person who follows it. */
export type PersonalAlertMessage = ChatMessage & { readonly kind: 'personal_alert' };

/** Whether a message is a post of an alert, or an update of one. */
export function isPost(message: ChatMessage): message is PostMessage {
  return message.kind === 'alert' || message.kind === 'alert_update';
}

/** Whether a message is about a person's follows. */
export function isPersonal<Message extends NewChatMessage>(
  message: Message,
): message is Message & { readonly kind: PersonalKind } {
  return message.kind.startsWith('personal_');
}

/** The id of the message of an alert to a person. */
export function personalAlertId(alertId: number, customerId: string): string {
  return `personal:${alertId}@${customerId}`;
}

/** The id of an alert's post in a channel, or of the edit of its thread's post. */
export function alertPostId(alertId: number, channel: Channel): string {
  return `alert:${alertId}@${channel}`;
}

/** The ids of an alert's posts in all channels. */
export function alertPostIds(alertId: number): readonly string[] {
  return CHANNELS.map((channel) => alertPostId(alertId, channel));
}

/** Queue of the messages about people's follows on one platform: `first` in real time, `later` at the free delay. */
export type PersonalQueue = `personal:${Platform}:${'first' | 'later'}`;

/** Queues of messages: one for each channel, those about people's follows, and one for all other private messages. */
export type ChatQueue = Extract<Recipient, `channel:${string}`> | PersonalQueue | 'private';

/** The queue of a message. */
export function queueOf(message: NewChatMessage): ChatQueue {
  if (isChannel(message.recipient)) return message.recipient;
  if (!isPersonal(message)) return 'private';
  const { platform, isRealtime } = message.facts;
  return `personal:${platform}:${isRealtime ? 'first' : 'later'}`;
}

/** Whether the recipient is an operator. */
export function isOperator(recipient: Recipient): recipient is Extract<Recipient, `operator:${string}`> {
  return recipient.startsWith('operator:');
}

/** The id of the customer to whom a message about their follows goes. */
export function customerIdOf(recipient: Recipient): string {
  return recipient.slice(recipient.indexOf(':') + 1);
}

/** Whether the recipient is a channel. */
export function isChannel(recipient: Recipient): recipient is Extract<Recipient, `channel:${string}`> {
  return recipient.startsWith('channel:');
}

/** The channel of a message; undefined for messages to people. */
export function channelOf({ recipient }: Pick<NewChatMessage, 'recipient'>): Channel | undefined {
  return CHANNELS.find((channel) => recipient === `channel:${channel}`);
}

const DEFAULT_LIFETIME_MS = 3 * DAY_MS;
/** How long a message may be sent, from `createdAt`; kinds that are not listed: three days. */
const LIFETIME_MS: Partial<Record<ChatKind, number>> = {
  alert: HOUR_MS,
  daily_digest: DAY_MS / 2,
  // A person's list names it.
  personal_alert: 7 * DAY_MS,
};

/** Whether a message has expired (alerts older than an hour are not posted in channels). */
export function isTooOld({ kind, createdAt }: NewChatMessage, now: EpochMs): boolean {
  return now - createdAt > (LIFETIME_MS[kind] ?? DEFAULT_LIFETIME_MS);
}
