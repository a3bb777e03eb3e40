import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { onSendHookHandler } from 'fastify';
import { weighed } from './accept.ts';

export type Encoding = 'br' | 'gzip';

export const COMPRESSED_FROM_BYTES = 1_024;

const BROTLI_QUALITY = 4;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export function encodingFor(header: string | undefined): Encoding | null {
  if (header === undefined) return null;
  const weights = new Map(header.split(',').map(weighed));
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [br, gz] = [weightOf('br'), weightOf('gzip')];
  if (br === 0 && gz === 0) return null;
  // Without a weight, identity is only the last resort.
  if ((weights.get('identity') ?? 0) > Math.max(br, gz)) return null;
  return br >= gz ? 'br' : 'gzip';
}

export function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return zip(bytes);
  return brotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

export const compressAnswer: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  reply.header('vary', 'accept-encoding');
  const encoding = encodingFor(request.headers['accept-encoding']);
  if (encoding === null || typeof payload !== 'string') return done(null, payload);
  const bytes = Buffer.from(payload);
  if (bytes.length < COMPRESSED_FROM_BYTES) return done(null, payload);
  compress(bytes, encoding).then(
    (smaller) => {
      reply.header('content-encoding', encoding).removeHeader('content-length');
      done(null, smaller);
    },
    (error: Error) => done(error),
  );
};
