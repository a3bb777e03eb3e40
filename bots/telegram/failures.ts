import { type Context, GrammyError, HttpError } from 'grammy';
import type { SendFailure } from '../../src/core/chat/messenger.ts';
import type { Call } from '../shared/chat-bot.ts';

const HIDDEN = '[redacted]';
/** Network errors before any part of the request was sent. */
const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_.*|.*SELF_SIGNED.*|ERR_TLS_.*)$/;
const BLOCKED = /blocked by the user|user is deactivated|can't initiate conversation/i;
const NOT_THERE =
  /not found|can't be (edited|deleted)|not enough rights|rights|PEER_ID_INVALID|chat was deactivated|upgraded to a supergroup|CHAT_WRITE_FORBIDDEN|message identifier is not specified|MESSAGE_ID_INVALID/i;
/** The message to edit, answer or delete does not exist. */
const DELETED =
  /message to (edit|delete|be replied) not found|message identifier is not specified|MESSAGE_ID_INVALID|upgraded to a supergroup/i;
const NO_CHAT = /chat not found|PEER_ID_INVALID|chat was deactivated|CHAT_WRITE_FORBIDDEN/i;
const NO_RIGHT = /not enough rights|need administrator rights|CHAT_ADMIN_REQUIRED/i;
const SERVER_PAUSE_MS = 5_000;
/** A revoked token or permission may be restored: messages wait. */
const REVOKED_PAUSE_MS = 60_000;

/** Short description without tokens, keys, addresses or texts of messages. */
export function telegramReason(error: unknown): string {
  if (error instanceof GrammyError) return clean(`${error.method}: ${error.error_code} ${error.description}`);
  if (error instanceof HttpError) return clean(`${error.message} (${networkReason(error)})`);
  return clean(error instanceof Error ? error.message : String(error));
}

/** Fields for the log. Errors of grammY are never logged as they are: they hold the token and texts with keys. */
export function telegramFields(error: unknown): { readonly reason: string } | { readonly err: unknown } {
  const isGrammy = error instanceof GrammyError || error instanceof HttpError;
  return isGrammy ? { reason: telegramReason(error) } : { err: error };
}

function clean(text: string): string {
  return text
    .replace(/sk_live_[\w-]+/g, HIDDEN)
    .replace(/\d{6,}:[\w-]{30,}/g, HIDDEN)
    .slice(0, 300);
}

function networkReason({ error }: HttpError): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === 'string') return code;
  return name === 'AbortError' ? 'timeout' : 'no answer';
}

/** The failed call for the outbox. After a 5xx or without an answer Telegram may have done it. */
export function telegramFailure(error: unknown, call: Call): SendFailure {
  const detail = telegramReason(error);
  if (error instanceof GrammyError && error.error_code < 500) return refusal(error, detail, call);
  const isUnsent = error instanceof HttpError && NOT_SENT.test(networkReason(error));
  const reason = isUnsent || call.isRepeatable ? 'later' : 'unknown';
  return { ok: false, reason, retryAfterMs: SERVER_PAUSE_MS, detail };
}

function refusal(
  { error_code: code, description, parameters }: GrammyError,
  detail: string,
  { isOnMessage = false, isInChannel = false, isPrivate = false }: Call,
): SendFailure {
  const later = (retryAfterMs: number): SendFailure => ({ ok: false, reason: 'later', retryAfterMs, detail });
  if (code === 429) return later((parameters.retry_after ?? 1) * 1_000);
  if (code === 401 || code === 404) return later(REVOKED_PAUSE_MS);
  if (BLOCKED.test(description)) return { ok: false, reason: 'blocked', detail };
  const isShutOut = code === 403 || NO_CHAT.test(description);
  if (isOnMessage && isPrivate && isShutOut) return { ok: false, reason: 'gone', detail };
  if ((isOnMessage || isInChannel) && isShutOut) return later(REVOKED_PAUSE_MS);
  if (isInChannel && NO_RIGHT.test(description)) return later(REVOKED_PAUSE_MS);
  const isGone = isOnMessage ? DELETED.test(description) : code === 403 || NOT_THERE.test(description);
  return { ok: false, reason: isGone ? 'gone' : 'refused', detail };
}

function says(words: RegExp) {
  return (error: unknown): boolean => error instanceof GrammyError && words.test(error.description);
}

function hasCode(...codes: readonly number[]) {
  return (error: unknown): boolean => error instanceof GrammyError && codes.includes(error.error_code);
}

/** The chat does not exist for the bot; a person who never wrote to it has none. */
export const isNoChat = says(NO_CHAT);
export const isMarkupError = says(/can't parse entities/i);
/** Telegram refused the URL of a button, for example one of this machine. */
export const isButtonAddressError = says(/button.?url/i);
export const isPreviewError = says(/web.?page|link.?preview/i);
/** The message to edit or remove does not exist any more, or is too old. */
export const isNotThere = says(NOT_THERE);
export const isDeleted = says(DELETED);
/** Telegram takes no message for a time, to this chat or to all. */
export const isFloodWait = hasCode(429);
export const isTokenError = hasCode(401, 404);
/** Another program polls with the same token. */
export const isConflict = hasCode(409);
/** Telegram shows the bot no such chat, or the bot is not in it. */
export const isChatHidden = hasCode(400, 403);

/** Deletes the message of the update, which a bot may do for 48 hours. Whether it is gone; `onFailure` gets why it is not. */
export async function deleteMessage(ctx: Context, onFailure: (error: unknown) => void): Promise<boolean> {
  try {
    return await ctx.deleteMessage();
  } catch (error) {
    if (isDeleted(error)) return true;
    onFailure(error);
    return false;
  }
}

/** Telegram or the network failed; the call may have been carried out. */
export function isFault(error: unknown): boolean {
  return error instanceof HttpError || (error instanceof GrammyError && error.error_code >= 500);
}

export function requestedWaitMs(error: unknown): number {
  return error instanceof GrammyError ? (error.parameters.retry_after ?? 0) * 1_000 : 0;
}

/** The new id of a group that became a supergroup; null for any other error. */
export function movedTo(error: unknown): number | null {
  return error instanceof GrammyError ? (error.parameters.migrate_to_chat_id ?? null) : null;
}
