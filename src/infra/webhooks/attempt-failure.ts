import type { DeliveryError } from '../../core/webhooks/delivery.ts';

/** Ends an attempt; `word` is what the delivery says of it. */
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
const BROKEN = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Of a connection that could not be made. With several addresses the error holds one for each. */
export function connectFailure(error: unknown): unknown {
  const codes = (error instanceof AggregateError ? error.errors : [error]).map(codeOf);
  if (codes.includes('ETIMEDOUT')) return new AttemptFailure('timeout', error);
  if (codes.some((code) => BROKEN.has(code))) return new AttemptFailure('reset', error);
  return codes.every((code) => REFUSED.has(code)) ? new AttemptFailure('refused', error) : error;
}

/** Of a handshake: a connection that broke, or anything that one side did not like. */
export function handshakeFailure(error: unknown): AttemptFailure {
  return new AttemptFailure(BROKEN.has(codeOf(error)) ? 'reset' : 'tls', error);
}

/** Of a request on a connection that stood. */
export function exchangeFailure(error: unknown): unknown {
  const code = codeOf(error);
  if (BROKEN.has(code) || code === 'HPE_INVALID_EOF_STATE') return new AttemptFailure('reset', error);
  if (isOdd(error, code)) return new AttemptFailure('protocol', error);
  if (code === 'UND_ERR_SOCKET') {
    const isAnswerOdd = /^bad (response|upgrade)/.test((error as Error).message);
    return new AttemptFailure(isAnswerOdd ? 'protocol' : 'reset', error);
  }
  return code.startsWith('ERR_SSL_') ? new AttemptFailure('tls', error) : error;
}

const ODD = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION']);

/** An answer that is no HTTP. The client's parser gives most of its errors no code, and asserts what a status may be. */
function isOdd(error: unknown, code: string): boolean {
  return (error as Error).name === 'HTTPParserError' || code.startsWith('HPE_') || ODD.has(code);
}

/** What an error calls itself; empty when it says nothing. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
