import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { UserError } from '../../../core/base/user-error.ts';

/** Bytes at the beginning of a file by which it is recognised. */
export const HEAD_BYTES = 65_536;
const CHUNK_BYTES = 262_144;

/** The uncompressed bytes of a `.jsonl` or `.jsonl.gz` file from an offset on. Errors contain the file's name. */
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
    throw new UserError(`${file} is corrupt or truncated (${messageOf(cause)}); take a fresh copy of it`, {
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
 * Identity of the file that begins with these bytes. It contains their number, so that a file that has grown since is still
 * recognised.
 */
export function identityOf(head: Buffer): string {
  return `${head.length}:${createHash('sha256').update(head).digest('hex')}`;
}

/** Whether the identity is of a file that begins with these bytes. */
export function isSameFile(identity: string, head: Buffer): boolean {
  // An empty file cannot be recognised.
  if (identity.startsWith('0:')) return false;
  return identityOf(head.subarray(0, Number.parseInt(identity, 10))) === identity;
}

/** Uncompressed size of the file; of a gzip file as in its trailer, modulo 4 GB. */
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

/** For `catch`: null for a file that does not exist; throws any other error. */
export function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function isGzip(file: string): boolean {
  return file.endsWith('.gz');
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
