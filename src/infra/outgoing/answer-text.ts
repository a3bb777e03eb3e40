import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { EpochMs } from '../../core/base/time/duration.ts';

const DECODERS = { br: promisify(brotliDecompress), gzip: promisify(gunzip) } as const;
/** What an answer may be compressed with, for `accept-encoding`: Brotli makes pages of trades a fifth shorter. */
export const ENCODINGS = Object.keys(DECODERS).join(', ');

export class GarbledAnswer extends Error {
  override readonly name = 'GarbledAnswer';
  readonly isTooLong: boolean;

  constructor(message: string, { isTooLong }: { readonly isTooLong: boolean }) {
    super(message);
    this.isTooLong = isTooLong;
  }
}

/**
 * An answer's text of at most `maxBytes` as sent and decompressed; else rejects with a `GarbledAnswer`. `onLength` gets its
 * length as sent.
 */
export async function answerText(
  { headers, body }: Pick<Dispatcher.ResponseData, 'headers' | 'body'>,
  maxBytes: number,
  onLength: (bytes: number) => void = () => {},
): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw new GarbledAnswer(`longer than ${maxBytes} bytes`, { isTooLong: true });
  }
  onLength(length);
  const bytes = Buffer.concat(chunks);
  const encoding = headers['content-encoding'];
  if (encoding !== 'br' && encoding !== 'gzip') return bytes.toString('utf8');
  try {
    return (await DECODERS[encoding](bytes, { maxOutputLength: maxBytes })).toString('utf8');
  } catch {
    throw new GarbledAnswer(`cannot be unzipped to ${maxBytes} bytes or less`, { isTooLong: false });
  }
}

/** A longer wait is not believed: the feed would be blind for it. */
const LONGEST_MS = 300_000;

/** What a `Retry-After` asks for, seconds or an HTTP date, at most `longestMs`; null when there is none that can be read. */
export function retryAfterMs(
  header: string | string[] | undefined,
  now: EpochMs,
  longestMs = LONGEST_MS,
): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  // `Date.parse` reads `-1` as a year; an HTTP date begins with a weekday.
  const at = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : at - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), longestMs);
}
