import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { COMPRESSED_FROM_BYTES, compress, type Encoding, encodingFor } from '../hooks/compression.ts';

interface ReadyOptions {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Request headers besides `Accept-Encoding` that the answer depends on. */
  readonly vary?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** False for bytes that compression does not make smaller, such as pictures. Default true. */
  readonly isCompressible?: boolean;
}

/** An answer with an `ETag`. The tag is made once, and each compressed form once, when it is first needed. */
export class ReadyAnswer {
  readonly #bytes: Buffer;
  /** Of the bytes, whatever their encoding. */
  readonly etag: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #isCompressible: boolean;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(body: string | Uint8Array<ArrayBuffer>, options: ReadyOptions) {
    const { contentType, cacheControl, vary, headers, isCompressible = true } = options;
    this.#bytes =
      typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
    this.#isCompressible = isCompressible && this.#bytes.length >= COMPRESSED_FROM_BYTES;
    // Weak: the compressed forms have the same tag.
    this.etag = `W/"${hash('sha1', this.#bytes, 'base64url')}"`;
    this.#headers = {
      'content-type': contentType,
      'cache-control': cacheControl,
      ...(isCompressible && { vary: vary === undefined ? 'accept-encoding' : `accept-encoding, ${vary}` }),
      etag: this.etag,
      ...headers,
    };
  }

  /**
   * Sends the body, compressed if the client accepts that and it is worth it; 304 if the client has it. Resolves to nothing, as
   * waiting for a returned reply takes time: a route with an asynchronous `onSend` hook must return the reply instead.
   */
  send(request: FastifyRequest, reply: FastifyReply): undefined | Promise<void> {
    reply.headers(this.#headers);
    const encoding = this.#isCompressible ? encodingFor(request.headers['accept-encoding']) : null;
    if (isNotModified(request, this.etag)) void reply.removeHeader('content-type').code(304).send();
    else if (encoding === null) void reply.send(this.#bytes);
    else return this.#sendCompressed(reply, encoding);
    return undefined;
  }

  async #sendCompressed(reply: FastifyReply, encoding: Encoding): Promise<void> {
    const compressed = this.#compressed.get(encoding) ?? compress(this.#bytes, encoding);
    this.#compressed.set(encoding, compressed);
    void reply.header('content-encoding', encoding).send(await compressed);
  }
}

/** Whether the client has the body with this tag, by weak comparison (RFC 9110, 13.1.2). */
export function isNotModified({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => withoutPrefix(tag.trim()) === withoutPrefix(etag));
}

function withoutPrefix(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

export const notModifiedReply = { 304: z.undefined().describe('The body that the caller has is current.') };

/** An answer with a JSON text. `vary`: the request headers besides `Accept-Encoding` that it depends on. */
export function jsonAnswer(json: string, cacheControl: string, vary = 'origin'): ReadyAnswer {
  return new ReadyAnswer(json, { contentType: 'application/json; charset=utf-8', cacheControl, vary });
}
