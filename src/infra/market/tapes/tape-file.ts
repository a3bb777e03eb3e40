import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { UserError } from '../../../core/base/user-error.ts';

/** Bytes at the beginning of a file by which it is recognised. */
export const HEAD_BYTES = 65_536;
const CHUNK_BYTES = 262_144;

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

/** Identity of the file that begins with these bytes; one that has grown since is still recognised. */
export function identityOf(head: Buffer): string {
  return `${head.length}:${createHash('sha256').update(head).digest('hex')}`;
}

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

/** One line of a byte stream, without its line end. `text` null: it was longer than a row may be. */
export interface Line {
  readonly text: string | null;
  readonly end: number;
}

export const MAX_LINE_BYTES = 1_048_576;
const LINE_FEED = 10;

/** Splits a byte stream into lines. Works on bytes, so that a character that spans two chunks stays whole. */
export class LineSplitter {
  #position: number;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  constructor(offset: number) {
    this.#position = offset;
  }

  /** The lines that end in this chunk; the rest is kept. The chunk's memory may be reused afterwards. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      lines.push(this.#finish(chunk.subarray(from, at), this.#position + at + 1));
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
    this.#position += chunk.length;
    return lines;
  }

  rest(): Line | null {
    return this.#keptBytes === 0 ? null : this.#finish(Buffer.alloc(0), this.#position);
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#keptBytes += piece.length;
    if (this.#keptBytes <= MAX_LINE_BYTES) this.#kept.push(Buffer.from(piece));
    else this.#kept = [];
  }

  #finish(piece: Buffer, end: number): Line {
    const length = this.#keptBytes + piece.length;
    const bytes = this.#keptBytes === 0 ? piece : Buffer.concat([...this.#kept, piece]);
    this.#kept = [];
    this.#keptBytes = 0;
    return { text: length > MAX_LINE_BYTES ? null : textOf(bytes, end), end };
  }
}

function textOf(bytes: Buffer, end: number): string {
  const text = bytes.toString('utf8');
  const startsFile = end <= bytes.length + 1;
  return startsFile && text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The lines of a `.jsonl` or `.jsonl.gz` file from an uncompressed offset on, hundreds a batch. */
export async function* readLines(file: string, offset = 0): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter(offset);
  for await (const chunk of readBytes(file, offset)) {
    const lines = splitter.push(chunk);
    if (lines.length > 0) yield lines;
  }
  const last = splitter.rest();
  if (last !== null) yield [last];
}
