import { GrammyError, HttpError } from 'grammy';
import type { SendResult } from '../../src/core/chat/messenger.ts';

const HIDDEN = '[redacted]';
/** Failures of the network before anything of the request can have arrived. */
const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_.*|.*SELF_SIGNED.*|ERR_TLS_.*)$/;
const WANTS_NONE = /blocked by the user|user is deactivated|can't initiate conversation/i;
const NOT_THERE =
  /not found|can't be (edited|deleted)|not enough rights|rights|PEER_ID_INVALID|chat was deactivated|upgraded to a supergroup|CHAT_WRITE_FORBIDDEN|message identifier is not specified|MESSAGE_ID_INVALID/i;
/** The message that was to be edited or answered. */
const DELETED =
  /message to (edit|be replied) not found|message identifier is not specified|MESSAGE_ID_INVALID|upgraded to a supergroup/i;
const NO_CHAT = /chat not found|PEER_ID_INVALID|chat was deactivated|CHAT_WRITE_FORBIDDEN/i;
const SERVER_PAUSE_MS = 5_000;
/** A token or a right that was taken back may be given anew: what waits is kept. */
const TAKEN_BACK_PAUSE_MS = 60_000;

type Failure = Extract<SendResult, { readonly ok: false }>;

/** What went wrong, without tokens, keys, addresses or the text of a message. */
export function describe(error: unknown): string {
  if (error instanceof GrammyError) return clean(`${error.method}: ${error.error_code} ${error.description}`);
  if (error instanceof HttpError) return clean(`${error.message} (${networkReason(error)})`);
  return clean(error instanceof Error ? error.message : String(error));
}

/** Fields for the log. Errors of grammY hold addresses with the token and messages with keys: never as they are. */
export function logged(error: unknown): { readonly reason: string } | { readonly err: unknown } {
  const isGrammy = error instanceof GrammyError || error instanceof HttpError;
  return isGrammy ? { reason: describe(error) } : { err: error };
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
  return name === 'AbortError' ? 'no answer in time' : 'no answer';
}

/** What was called. */
interface Call {
  /** Doing it twice does no harm. */
  readonly canRepeat: boolean;
  /** It edits or answers a message: then `gone` says that the message was deleted, and nothing else does. */
  readonly isOnMessage?: boolean;
}

/** What a failed call means for a message. */
export function toFailure(error: unknown, { canRepeat, isOnMessage = false }: Call): Failure {
  const detail = describe(error);
  if (error instanceof GrammyError) return platformFailure(error, detail, isOnMessage);
  const isUnsent = error instanceof HttpError && NOT_SENT.test(networkReason(error));
  return {
    ok: false,
    reason: isUnsent || canRepeat ? 'later' : 'unknown',
    retryAfterMs: SERVER_PAUSE_MS,
    detail,
  };
}

function platformFailure(
  { error_code: code, description, parameters }: GrammyError,
  detail: string,
  isOnMessage: boolean,
): Failure {
  const later = (retryAfterMs: number): Failure => ({ ok: false, reason: 'later', retryAfterMs, detail });
  if (code === 429) return later((parameters.retry_after ?? 1) * 1_000);
  if (code >= 500) return later(SERVER_PAUSE_MS);
  if (code === 401 || code === 404) return later(TAKEN_BACK_PAUSE_MS);
  if (WANTS_NONE.test(description)) return { ok: false, reason: 'blocked', detail };
  if (isOnMessage && (code === 403 || NO_CHAT.test(description))) return later(TAKEN_BACK_PAUSE_MS);
  const isGone = isOnMessage ? DELETED.test(description) : code === 403 || NOT_THERE.test(description);
  return { ok: false, reason: isGone ? 'gone' : 'refused', detail };
}

/** Telegram did not take the markup. */
export function isMarkupError(error: unknown): boolean {
  return error instanceof GrammyError && /can't parse entities/i.test(error.description);
}

/** Telegram did not take the address of a button, for example one on this machine. */
export function isButtonAddressError(error: unknown): boolean {
  return error instanceof GrammyError && /button.?url/i.test(error.description);
}

/** The message shows this already. */
export function isUnchanged(error: unknown): boolean {
  return error instanceof GrammyError && /message is not modified/i.test(error.description);
}

/** The message that was to be edited or removed is not there any more, or too old. */
export function isNotThere(error: unknown): boolean {
  return error instanceof GrammyError && error.error_code === 400 && NOT_THERE.test(error.description);
}

/** The new id of a group that became a supergroup; null for any other error. */
export function movedTo(error: unknown): number | null {
  return error instanceof GrammyError ? (error.parameters.migrate_to_chat_id ?? null) : null;
}

/** The platform does not know the token. */
export function isTokenError(error: unknown): boolean {
  return error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404);
}

/** Another program takes the updates. */
export function isConflict(error: unknown): boolean {
  return error instanceof GrammyError && error.error_code === 409;
}
