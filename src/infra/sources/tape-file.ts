import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { UserError } from '../../core/user-error.ts';

/** How much of a file's beginning recognises it. */
export const HEAD_BYTES = 65_536;
const CHUNK_BYTES = 262_144;

/** The uncompressed bytes of a `.jsonl` or `.jsonl.gz` file from an offset on. Throws naming the file. */
export async function* readBytes(file: string, offset = 0): AsyncGenerator<Buffer> {
  if (!isGzip(file)) {
    yield* createReadStream(file, { start: offset, highWaterMark: CHUNK_BYTES });
    return;
  }
  let toSkip = offset;
  for await (const chunk of unzipped(file)) {
    if (toSkip < chunk.length) yield toSkip === 0 ? chunk : chunk.subarray(toSkip);
    toSkip = Math.max(0, toSkip - chunk.length);
  }
}

async function* unzipped(file: string): AsyncGenerator<Buffer> {
  const packed = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  packed.on('error', (error) => gunzip.destroy(error));
  try {
    yield* packed.pipe(gunzip);
  } catch (cause) {
    throw new UserError(`${file} is damaged or cut off (${messageOf(cause)}); take a fresh copy of it`, {
      cause,
    });
  } finally {
    packed.destroy();
    gunzip.destroy();
  }
}

/** At most the first 64 KB of the uncompressed bytes. */
export async function readHead(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of readBytes(file)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
}

/**
 * A name for the file whose beginning this is. It holds how many bytes it was made of, so that a file which has grown
 * since is still recognised.
 */
export function identityOf(head: Buffer): string {
  return `${head.length}:${createHash('sha256').update(head).digest('hex')}`;
}

/** Whether a file with this beginning is the one the identity was made of. */
export function isSameFile(identity: string, head: Buffer): boolean {
  // Of a file that was still empty nothing is known.
  if (identity.startsWith('0:')) return false;
  return identityOf(head.subarray(0, Number.parseInt(identity, 10))) === identity;
}

/** Uncompressed bytes of the whole file; of a gzip file as its trailer states them, modulo 4 GB. */
export async function uncompressedSize(file: string): Promise<number> {
  const { size } = await stat(file);
  if (!isGzip(file) || size < 4) return size;
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, size - 4);
    return buffer.readUInt32LE(0);
  } finally {
    await handle.close();
  }
}

function isGzip(file: string): boolean {
  return file.endsWith('.gz');
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
