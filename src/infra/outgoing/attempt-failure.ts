import type { DeliveryError } from '../../core/delivery/webhooks/delivery.ts';

export class AttemptFailure extends Error {
  readonly word: DeliveryError;

  constructor(word: DeliveryError, cause?: unknown) {
    super(word, { cause });
    this.word = word;
  }
}

const REFUSED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
]);
const RESET = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'HPE_INVALID_EOF_STATE']);
const PROTOCOL = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_ASSERTION',
]);

/** The failure of a TCP connection. With several addresses the error holds one error for each of them. */
export function connectFailure(error: unknown): unknown {
  if (error instanceof AttemptFailure) return error;
  const codes = (error instanceof AggregateError ? error.errors : [error]).map(codeOf);
  if (codes.includes('ETIMEDOUT')) return new AttemptFailure('timeout', error);
  if (codes.some((code) => RESET.has(code))) return new AttemptFailure('reset', error);
  return codes.every((code) => REFUSED.has(code)) ? new AttemptFailure('refused', error) : error;
}

export function handshakeFailure(error: unknown): AttemptFailure {
  return new AttemptFailure(RESET.has(codeOf(error)) ? 'reset' : 'tls', error);
}

export function requestFailure(error: unknown): unknown {
  if (error instanceof AttemptFailure) return error;
  const code = codeOf(error);
  if (RESET.has(code)) return new AttemptFailure('reset', error);
  if (isNoHttp(error, code)) return new AttemptFailure('protocol', error);
  if (code === 'UND_ERR_SOCKET') return new AttemptFailure('reset', error);
  return code.startsWith('ERR_SSL_') ? new AttemptFailure('tls', error) : error;
}

/** An answer that is not HTTP. undici gives most errors of its parser no code, and asserts the range of a status. */
function isNoHttp(error: unknown, code: string): boolean {
  const { name, message } = error as Error;
  if (code === 'UND_ERR_SOCKET') return /^bad (response|upgrade)/.test(message);
  return name === 'HTTPParserError' || code.startsWith('HPE_') || PROTOCOL.has(code);
}

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
