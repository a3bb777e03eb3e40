import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { HEAD_BYTES, nullIfAbsent } from './tape-file.ts';

const CHUNK_BYTES = 262_144;

/** Result of a read. `begins`: the following bytes begin at that offset, whatever was read before. */
export type Look =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'begins'; readonly at: number }
  | { readonly kind: 'idle' | 'absent' };

/** A file when it is found for the first time. */
export interface FoundFile {
  readonly size: number;
  /** Fewer bytes at the end of the file. */
  read(start: number, length: number): Promise<Buffer>;
}

interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Follows a file that another process writes. The first `look` opens it. */
export class GrowingFile {
  readonly #file: string;
  readonly #beginAt: (found: FoundFile) => Promise<number>;
  #opened: OpenFile | null = null;
  #isFirst = true;
  #position = 0;
  #head: Buffer = Buffer.alloc(0);
  #checkedAt = 0;
  #size = 0;

  /** `beginAt` returns where to begin in the first file; files that replace it are read from their start. */
  constructor(file: string, beginAt: (found: FoundFile) => Promise<number>) {
    this.#file = file;
    this.#beginAt = beginAt;
  }

  /** The first bytes of the current file, at most 64 KB of those read. */
  get head(): Buffer {
    return this.#head;
  }

  /** Bytes of the file at the last look. */
  get size(): number {
    return this.#size;
  }

  /** Continues where the last look stopped; at the start when the file was truncated or replaced. */
  async look(): Promise<Look> {
    if (this.#opened === null) return this.#attach();
    const { handle, stats } = this.#opened;
    // Before the size: bytes written before a replacement are read before the new file is followed.
    const found = await stat(this.#file).catch(nullIfAbsent);
    const { size, mtimeMs } = await handle.stat();
    this.#size = size;
    // File times are coarse: two writes may have the same one.
    const isTouched = size !== this.#position || mtimeMs !== this.#checkedAt;
    this.#checkedAt = mtimeMs;
    if (size < this.#position || (isTouched && !(await startsWith(handle, this.#head))))
      return this.#begin(0, Buffer.alloc(0));
    if (size > this.#position) return this.#readOn(handle);
    if (found?.ino === stats.ino && found.dev === stats.dev) return { kind: 'idle' };
    await this.close();
    return this.#attach();
  }

  async close(): Promise<void> {
    await this.#opened?.handle.close();
    this.#opened = null;
  }

  async #attach(): Promise<Look> {
    const handle = await open(this.#file).catch(nullIfAbsent);
    if (handle === null) return { kind: 'absent' };
    const stats = await handle.stat();
    this.#opened = { handle, stats };
    this.#size = stats.size;
    const read = (start: number, length: number) => readAt(handle, start, length);
    const start = this.#isFirst ? await this.#beginAt({ size: stats.size, read }) : 0;
    this.#isFirst = false;
    return this.#begin(start, await read(0, Math.min(HEAD_BYTES, start)));
  }

  #begin(at: number, known: Buffer): Look {
    this.#position = at;
    this.#head = known;
    return { kind: 'begins', at };
  }

  async #readOn(handle: FileHandle): Promise<Look> {
    const bytes = await readAt(handle, this.#position, Math.min(CHUNK_BYTES, this.#size - this.#position));
    if (this.#head.length === this.#position)
      this.#head = Buffer.concat([this.#head, bytes]).subarray(0, HEAD_BYTES);
    this.#position += bytes.length;
    return bytes.length === 0 ? { kind: 'idle' } : { kind: 'bytes', bytes };
  }
}

async function startsWith(handle: FileHandle, head: Buffer): Promise<boolean> {
  return head.equals(await readAt(handle, 0, head.length));
}

async function readAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
  return buffer.subarray(0, bytesRead);
}
