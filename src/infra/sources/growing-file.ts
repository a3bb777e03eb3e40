import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { HEAD_BYTES } from './tape-file.ts';

const CHUNK_BYTES = 262_144;

/** What a look at the file found. `begins`: what comes next begins at that offset, whatever came before. */
export type Look =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'begins'; readonly at: number }
  | { readonly kind: 'idle' | 'absent' };

/** A file somebody else writes to. It is opened with the first look. */
export interface GrowingFile {
  /** Reads on from where the last look stopped; after a cut or a replacement from the start. */
  look(): Promise<Look>;
  readonly isOpen: boolean;
  /** The first bytes of the file in use, at most 64 KB of those read. */
  readonly head: Buffer;
  /** Bytes of the file when it was last looked at. */
  readonly size: number;
  close(): Promise<void>;
}

/** A file when it is there for the first time. */
export interface FoundFile {
  readonly size: number;
  /** Fewer bytes where the file ends. */
  read(start: number, length: number): Promise<Buffer>;
}

interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** `beginAt` says where to begin in the file that is there first; those that replace it are read from their start. */
export function followFile(file: string, beginAt: (found: FoundFile) => Promise<number>): GrowingFile {
  let opened: OpenFile | null = null;
  let isFirst = true;
  let position = 0;
  let head: Buffer = Buffer.alloc(0);
  let checkedAt = 0;
  let size = 0;

  async function attach(): Promise<Look> {
    const handle = await open(file).catch(nullIfAbsent);
    if (handle === null) return { kind: 'absent' };
    opened = { handle, stats: await handle.stat() };
    size = opened.stats.size;
    const read = (start: number, length: number) => readAt(handle, start, length);
    const start = isFirst ? await beginAt({ size, read }) : 0;
    isFirst = false;
    return begin(start, await read(0, Math.min(HEAD_BYTES, start)));
  }

  function begin(at: number, known: Buffer): Look {
    position = at;
    head = known;
    return { kind: 'begins', at };
  }

  async function readOn(handle: FileHandle): Promise<Look> {
    const bytes = await readAt(handle, position, Math.min(CHUNK_BYTES, size - position));
    if (head.length === position) head = Buffer.concat([head, bytes]).subarray(0, HEAD_BYTES);
    position += bytes.length;
    return bytes.length === 0 ? { kind: 'idle' } : { kind: 'bytes', bytes };
  }

  return {
    async look() {
      if (opened === null) return attach();
      const { handle, stats } = opened;
      // Asked for before the size: what was written before a replacement is read before it is followed.
      const found = await stat(file).catch(nullIfAbsent);
      const current = await handle.stat();
      size = current.size;
      // Times of files are coarse: two writes may carry the same one.
      const isTouched = size !== position || current.mtimeMs !== checkedAt;
      checkedAt = current.mtimeMs;
      if (size < position || (isTouched && !(await startsWith(handle, head))))
        return begin(0, Buffer.alloc(0));
      if (size > position) return readOn(handle);
      if (found?.ino === stats.ino && found.dev === stats.dev) return { kind: 'idle' };
      await handle.close();
      opened = null;
      return attach();
    },
    get isOpen() {
      return opened !== null;
    },
    get head() {
      return head;
    },
    get size() {
      return size;
    },
    async close() {
      await opened?.handle.close();
      opened = null;
    },
  };
}

async function startsWith(handle: FileHandle, head: Buffer): Promise<boolean> {
  return head.equals(await readAt(handle, 0, head.length));
}

async function readAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
  return buffer.subarray(0, bytesRead);
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
