import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESSED_FROM_BYTES, compress, type Encoding, encodingFor } from '../hooks/compression.ts';

/** Bytes that are sent many times: what can be computed once is, at the first need. */
export interface ReadyAnswer {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly encoded: Map<Encoding, Promise<Buffer>>;
}

interface ReadyOptions {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Besides `Accept-Encoding`. */
  readonly vary?: string;
  readonly more?: Readonly<Record<string, string>>;
}

export function readyAnswer(
  text: string,
  { contentType, cacheControl, vary, more }: ReadyOptions,
): ReadyAnswer {
  const bytes = Buffer.from(text);
  // Weak: the same tag stands for the compressed bytes.
  const etag = `W/"${hash('sha1', bytes, 'base64url')}"`;
  return {
    bytes,
    etag,
    headers: {
      'content-type': contentType,
      'cache-control': cacheControl,
      vary: vary === undefined ? 'accept-encoding' : `accept-encoding, ${vary}`,
      etag,
      ...more,
    },
    encoded: new Map(),
  };
}

/** Sends the bytes, smaller ones where the caller takes them, or 304 where it has them. */
export function sendReady(request: FastifyRequest, reply: FastifyReply, answer: ReadyAnswer): void {
  const { headers } = request;
  reply.headers(answer.headers);
  if (isNotModified(request, answer.etag)) {
    void reply.removeHeader('content-type').code(304).send();
    return;
  }
  const encoding =
    answer.bytes.length < COMPRESSED_FROM_BYTES ? null : encodingFor(headers['accept-encoding']);
  if (encoding === null) void reply.send(answer.bytes);
  else void sendEncoded(reply, answer, encoding);
}

async function sendEncoded(reply: FastifyReply, answer: ReadyAnswer, encoding: Encoding): Promise<void> {
  const smaller = answer.encoded.get(encoding) ?? compress(answer.bytes, encoding);
  answer.encoded.set(encoding, smaller);
  try {
    const bytes = await smaller;
    void reply.header('content-encoding', encoding).send(bytes);
  } catch {
    void reply.send(answer.bytes);
  }
}

/** Whether the caller has what the tag names, by weak comparison (RFC 9110, 13.1.2). */
export function isNotModified({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => bare(tag.trim()) === bare(etag));
}

function bare(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
