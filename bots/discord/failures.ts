import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import type { SendFailure } from '../../src/core/chat/messenger.ts';
import type { Call } from '../shared/chat-bot.ts';

export const DISCORD_CODES = {
  unknownChannel: 10_003,
  unknownGuild: 10_004,
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

const { unknownChannel, unknownMessage, missingAccess, missingPermissions } = DISCORD_CODES;
const BLOCKED: readonly number[] = [
  DISCORD_CODES.cannotMessageUser,
  DISCORD_CODES.noMutualServers,
  DISCORD_CODES.unknownUser,
];
const DELETED: readonly number[] = [unknownChannel, unknownMessage];
/** May come back: the bot was removed, or its permission. */
const SHUT_OUT: readonly number[] = [missingAccess, missingPermissions];
const GONE: readonly number[] = [...DELETED, ...SHUT_OUT];
/** The connection failed before anything was sent. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];
const RETRY_MS = 5_000;
/** A revoked token or permission may be restored: messages wait. */
const REVOKED_RETRY_MS = 60_000;

export function discordCode(error: unknown): number | null {
  return error instanceof DiscordAPIError && typeof error.code === 'number' ? error.code : null;
}

/** Short description without URLs, which hold interaction tokens. */
export function discordReason(error: unknown): string {
  if (error instanceof DiscordAPIError)
    return `${error.status} ${error.code}: ${error.message.split('\n')[0]}`;
  if (error instanceof HTTPError) return `${error.status} ${error.message}`;
  if (error instanceof RateLimitError) return `429 on ${error.route}`;
  if (!(error instanceof Error)) return 'unknown error';
  return error.name === 'AbortError' ? 'timeout' : (systemCode(error) ?? error.message);
}

export function discordFields(error: unknown): { readonly reason: string } {
  return { reason: discordReason(error) };
}

/** The message to remove is gone: another person removed it. */
export function isUnknownMessage({ detail }: SendFailure): boolean {
  return detail.includes(` ${unknownMessage}:`);
}

export function discordFailure(error: unknown, call: Call): SendFailure {
  const { isRepeatable, isOnMessage = false, isInChannel = false } = call;
  const detail = discordReason(error);
  const later = (retryAfterMs: number) => ({ ok: false, reason: 'later', retryAfterMs, detail }) as const;
  if (error instanceof RateLimitError) {
    // Limits are by route and channel; a route without a channel, such as that which opens one for a person, has one for all.
    const isChatOnly = !error.global && error.majorParameter !== 'global';
    return { ...later(Math.max(error.retryAfter, 1)), isChatOnly };
  }
  if (error instanceof DiscordAPIError) {
    if (error.status === 401) return later(REVOKED_RETRY_MS);
    const code = discordCode(error);
    // Without a code of Discord a proxy has answered.
    if (code === null) return later(RETRY_MS);
    if (BLOCKED.includes(code)) return { ok: false, reason: 'blocked', detail };
    if (isOnMessage && code === missingAccess) return later(REVOKED_RETRY_MS);
    if (isInChannel && SHUT_OUT.includes(code)) return later(REVOKED_RETRY_MS);
    const isGone = (isOnMessage ? DELETED : GONE).includes(code);
    return { ok: false, reason: isGone ? 'gone' : 'refused', detail };
  }
  const isNotSent = error instanceof Error && NOT_SENT.includes(systemCode(error) ?? '');
  if (isRepeatable || isNotSent) return later(RETRY_MS);
  return { ok: false, reason: 'unknown', retryAfterMs: RETRY_MS, detail };
}

function systemCode(error: Error): string | null {
  for (const source of [error, error.cause])
    if (source instanceof Error && 'code' in source && typeof source.code === 'string') return source.code;
  return null;
}
