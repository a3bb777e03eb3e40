import type { EpochMs } from '../trade.ts';

/** The channels that alerts are posted in. */
export const CHANNELS = ['telegram', 'discord'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The bots. On Telegram the operator may have one of their own. */
export type BotName = Channel | 'telegram_admin';

/** Whom a message is for: a channel, a customer, whoever owns a key, or an operator by their id on a platform. */
export type Recipient =
  | `channel:${Channel}`
  | `customer:${string}`
  | `key:${string}`
  | `operator:${Channel}:${string}`;

/** The alert that a post shows. What is stored names the post's own; when it is sent, the newest of its thread. */
interface AlertFacts {
  readonly alertId: number;
  /** The first alert of its thread. */
  readonly threadId: number;
  /** Set when it is sent: the post showed an earlier alert of the thread before. */
  readonly isUpdated?: boolean;
}

/** What a message says, by kind: what its words are made of. Nothing secret. */
export interface ChatFacts {
  /** A channel's post of an alert; edited when its thread has a newer alert, and when the market resolves. */
  readonly alert: AlertFacts & { readonly marketId: string };
  /** An alert whose thread has a post already: that post is edited, or answered. */
  readonly alert_update: ChatFacts['alert'];
  /** What the post of an alert shows has changed (its outcome, or a wallet is hidden): the post is edited, or answered. */
  readonly alert_result: AlertFacts;
  /** What was above the posts of an hour; the alerts are looked up when it is sent. */
  readonly more_alerts: { readonly alertIds: readonly number[]; readonly hourStart: EpochMs };
  /** Yesterday, made when the job ran. */
  readonly daily_digest: DailyDigest;
  readonly webhook_failing: { readonly webhookId: string; readonly url: string; readonly failures: number };
  readonly key_first_used: { readonly keyId: string; readonly name: string };
  /** A key was pasted where others read. */
  readonly key_leaked: { readonly keyId: string; readonly name: string; readonly place: string };
  readonly trial_reminder: { readonly endsAt: EpochMs };
  readonly trial_ended: { readonly endsAt: EpochMs };
  /** The operator changed something of the customer's; `text` says what. */
  readonly operator_note: { readonly text: string };
  readonly broadcast: { readonly text: string };
  /** For the operator: a platform refuses a bot's token. */
  readonly token_refused: { readonly bot: BotName; readonly since: EpochMs; readonly detail: string };
  /** For the operator: it takes the token again. */
  readonly token_accepted: { readonly bot: BotName; readonly since: EpochMs; readonly until: EpochMs };
}

/** The kinds of messages. */
export type ChatKind = keyof ChatFacts;

/** The figures of one UTC day. */
export interface DailyDigest {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly alerts: number;
  readonly byType: Readonly<Record<string, number>>;
  /** Of the newest alerts of all threads those with the highest scores, best first. */
  readonly topAlertIds: readonly number[];
  readonly hotMarkets: readonly {
    readonly title: string;
    readonly slug: string;
    readonly alerts: number;
    readonly usdc: number;
  }[];
  /** The day's alerts whose markets are settled so far, and what they earned; more of them follow. */
  readonly results: { readonly won: number; readonly lost: number; readonly profitUsdc: number };
  /** What became of all alerts of the 30 days up to the day's end. */
  readonly record: {
    readonly resolved: number;
    /** The markets of the resolved ones. Absent from what an older build stored. */
    readonly markets?: number;
    readonly won: number;
    /** Null when none is resolved. */
    readonly averageEntry: number | null;
  };
}

/** A message somebody is to get. */
export type NewChatMessage = {
  readonly [Kind in ChatKind]: {
    /** Unique: the same occasion and recipient give the same id. */
    readonly id: string;
    readonly recipient: Recipient;
    readonly kind: Kind;
    readonly facts: ChatFacts[Kind];
    readonly createdAt: EpochMs;
    /** Not sent before. */
    readonly dueAt: EpochMs;
  };
}[ChatKind];

/**
 * `pending`: to be sent, perhaps again. `sending`: somebody sends it. `folded`: went into a `more_alerts`. `dropped`:
 * was not to be sent any more. `withdrawn`: sent, and taken back. `failed`: given up.
 */
export const CHAT_STATES = [
  'pending',
  'sending',
  'sent',
  'failed',
  'folded',
  'dropped',
  'withdrawn',
] as const;
export type ChatState = (typeof CHAT_STATES)[number];

/** A message in the outbox. */
export type ChatMessage = NewChatMessage & {
  readonly state: ChatState;
  /** How often it was tried. */
  readonly attempts: number;
  /** Why the last try failed, in a word or two; null when none did. */
  readonly error: string | null;
  /** Where it stands on its platform, as the messenger said; null before it was sent. */
  readonly place: string | null;
  readonly sentAt: EpochMs | null;
};

/** A channel's post of an alert, or an update of its thread's post. */
export type PostMessage = ChatMessage & { readonly kind: 'alert' | 'alert_update' };

/** Whether a message is one. */
export function isPost(message: ChatMessage): message is PostMessage {
  return message.kind === 'alert' || message.kind === 'alert_update';
}

/** What a post is found by; null for other messages. */
export function postFactsOf({ kind, facts }: NewChatMessage): ChatFacts['alert'] | null {
  return kind === 'alert' || kind === 'alert_update' ? facts : null;
}
