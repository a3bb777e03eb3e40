import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import type { SendResult } from '../../src/core/chat/messenger.ts';

export type Failure = Extract<SendResult, { ok: false }>;

/** Discord's own numbers for what went wrong. */
export const DISCORD_CODES = {
  unknownChannel: 10_003,
  unknownMember: 10_007,
  unknownMessage: 10_008,
  unknownUser: 10_013,
  unknownInteraction: 10_062,
  alreadyAcknowledged: 40_060,
  missingAccess: 50_001,
  cannotMessageUser: 50_007,
  missingPermissions: 50_013,
  invalidForm: 50_035,
  noMutualServers: 50_278,
} as const;

const BLOCKED: readonly number[] = [
  DISCORD_CODES.cannotMessageUser,
  DISCORD_CODES.noMutualServers,
  DISCORD_CODES.unknownUser,
];
const GONE: readonly number[] = [
  DISCORD_CODES.unknownChannel,
  DISCORD_CODES.unknownMessage,
  DISCORD_CODES.missingAccess,
  DISCORD_CODES.missingPermissions,
];
/** The message that was to be edited or answered. */
const DELETED: readonly number[] = [DISCORD_CODES.unknownChannel, DISCORD_CODES.unknownMessage];
/** Nothing was sent: the connection did not come about. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];
const RETRY_MS = 5_000;
/** A token or a right that was taken back may be given anew. */
const TAKEN_BACK_RETRY_MS = 60_000;

export function discordCode(error: unknown): number | null {
  return error instanceof DiscordAPIError && typeof error.code === 'number' ? error.code : null;
}

export function discordStatus(error: unknown): number | null {
  return error instanceof DiscordAPIError || error instanceof HTTPError ? error.status : null;
}

/** A few words without addresses, which hold interaction tokens. */
export function describeFailure(error: unknown): string {
  if (error instanceof DiscordAPIError)
    return `${error.status} ${error.code}: ${error.message.split('\n')[0]}`;
  if (error instanceof HTTPError) return `${error.status} ${error.message}`;
  if (error instanceof RateLimitError) return `429 on ${error.route}`;
  if (!(error instanceof Error)) return 'unknown fault';
  return error.name === 'AbortError' ? 'no answer in time' : (systemCode(error) ?? error.message);
}

/** What was called. */
export interface Call {
  /** To do it twice does no harm. */
  readonly isRepeatable: boolean;
  /** It edits or answers a message: then `gone` says that the message was deleted, and nothing else does. */
  readonly isOnMessage?: boolean;
}

/** A failed call as the outbox needs to know it. */
export function toFailure(error: unknown, { isRepeatable, isOnMessage = false }: Call): Failure {
  const detail = describeFailure(error);
  const later = (retryAfterMs: number) => ({ ok: false, reason: 'later', retryAfterMs, detail }) as const;
  if (error instanceof RateLimitError) return later(Math.max(error.retryAfter, 1));
  if (error instanceof DiscordAPIError) {
    if (error.status === 401) return later(TAKEN_BACK_RETRY_MS);
    const code = discordCode(error);
    // Not Discord's own words: something on the way answered.
    if (code === null) return later(RETRY_MS);
    if (BLOCKED.includes(code)) return { ok: false, reason: 'blocked', detail };
    if (isOnMessage && code === DISCORD_CODES.missingAccess) return later(TAKEN_BACK_RETRY_MS);
    if ((isOnMessage ? DELETED : GONE).includes(code)) return { ok: false, reason: 'gone', detail };
    return { ok: false, reason: 'refused', detail };
  }
  // A 5xx: what is sent again soon has the same nonce, so that Discord shows it once.
  if (error instanceof HTTPError) return later(RETRY_MS);
  const isSurelyNotSent = error instanceof Error && NOT_SENT.includes(systemCode(error) ?? '');
  if (isRepeatable || isSurelyNotSent) return later(RETRY_MS);
  return { ok: false, reason: 'unknown', retryAfterMs: RETRY_MS, detail };
}

function systemCode(error: Error): string | null {
  for (const messageRef of [error, error.cause]) {
    if (messageRef instanceof Error && 'code' in messageRef && typeof messageRef.code === 'string')
      return messageRef.code;
  }
  return null;
}
