import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import { UserError } from '../../../core/base/user-error.ts';
import type { Checkpoint, SourceRow, SourceStatus, TapeSource } from '../../../core/trades/source/source.ts';
import { PendingClose } from './pending-close.ts';
import { assertTape, headerOf, RowReader } from './row-schema.ts';
import { type SourceDeps, type SourceStart, tapeSourceName } from './source-deps.ts';
import { HEAD_BYTES, identityOf, isSameFile, LineSplitter, nullIfAbsent, readHead } from './tape-file.ts';

/** Pauses between two reads: short while the file grows, then longer by a quarter each time. */
const POLL_MS = { least: 2, most: 100 };
/** By then the other fills of an order are in the file. */
const CLOSE_AFTER_MS = 2_000;
const ABSENT_MS = 1_000;
const LINE_FEED = 10;
const CHUNK_BYTES = 262_144;

interface TailOptions extends SourceStart {
  readonly file: string;
}

/**
 * Follows a growing tape; a truncated or replaced one is read from its start. At its end, 2 s after the last trade of the
 * newest second, it closes pending orders. `isComplete` becomes true when the header is read, which in an empty file is with
 * the first batch. Throws when the file cannot be read or is no tape.
 */
export async function openTail(options: TailOptions, deps: SourceDeps): Promise<TapeSource> {
  const { file } = options;
  const head = await headOf(file);
  if (head !== null) assertTape(`tail:${file}`, head);
  return new Tail(options, head, deps);
}

class Tail implements TapeSource {
  readonly name: string;
  readonly isLive = true;
  readonly mapping = null;
  readonly #checkpoint: Checkpoint | null;
  readonly #deps: SourceDeps;
  readonly #file: GrowingFile;
  readonly #reader: RowReader;
  readonly #pendingClose: PendingClose;
  #splitter = new LineSplitter(0);
  #isComplete: boolean;
  #state: SourceStatus['state'] = 'starting';
  #position = 0;
  #pauseMs = POLL_MS.least;
  #absentSince: EpochMs | null = null;
  #isAbsenceLogged = false;
  #judgedUpTo = 0;
  /** `judgedUpTo` of the first file; a file that replaces it has none. */
  #judgedInFirst = 0;

  constructor({ file, checkpoint, isRebuild = false }: TailOptions, head: Buffer | null, deps: SourceDeps) {
    this.name = tapeSourceName('tail', file);
    this.#checkpoint = checkpoint;
    this.#deps = deps;
    this.#isComplete = isCompleteTape(head);
    this.#file = new GrowingFile(file, async (size, read) => {
      const offset = await this.#resumeOffset(size, read);
      this.#judgedInFirst = isRebuild ? offset : 0;
      return offset - this.#judgedInFirst;
    });
    this.#reader = new RowReader(deps, this.name, ({ history }) => {
      this.#isComplete = history === 'complete';
    });
    this.#pendingClose = new PendingClose(isRebuild ? 0 : (checkpoint?.offset ?? 0), deps.clock);
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get judgedUpTo(): number {
    return this.#judgedUpTo;
  }

  checkpoint(offset: number): Checkpoint {
    const { head } = this.#file;
    const earlier = head.length > 0 ? undefined : this.#checkpoint?.identity;
    return { offset, identity: earlier ?? identityOf(head), mapping: null };
  }

  async *batches(signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    try {
      // No `repeat`: it yields, and pauses only where there is nothing to read.
      while (!signal.aborted) {
        const look = await this.#file.look();
        if (look.kind === 'begins') this.#begin(look.at);
        else if (look.kind === 'bytes') yield* this.#read(look.bytes);
        else {
          this.#state = look.kind === 'idle' ? 'at_end' : 'starting';
          this.#reportAbsence(look.kind === 'absent');
          if (this.#pendingClose.isPendingFor(CLOSE_AFTER_MS)) yield [this.#pendingClose.take()];
          await this.#deps.clock.sleep(this.#pauseMs, signal);
          this.#pauseMs = Math.min(this.#pauseMs * 1.25, POLL_MS.most);
        }
      }
    } finally {
      await this.#file.close();
    }
  }

  status(): SourceStatus {
    const { size } = this.#file;
    const progress = size > 0 ? Math.min(1, this.#position / size) : null;
    return { state: this.#state, progress, historyProgress: null };
  }

  /** A line must begin there: a file that replaced a shorter one may begin with the same bytes. */
  async #resumeOffset(size: number, read: ReadFile): Promise<number> {
    if (this.#checkpoint === null || this.#checkpoint.offset === 0) return 0;
    const { offset, identity } = this.#checkpoint;
    const isKnown = isSameFile(identity, await read(0, HEAD_BYTES));
    if (isKnown && (await read(offset - 1, 1))[0] === LINE_FEED) return offset;
    this.#deps.logger.warn({ offset, size }, 'tape replaced by another one; reading it from its start');
    return 0;
  }

  /** A file that is replaced may be absent for a moment: that is not logged. */
  #reportAbsence(isAbsent: boolean): void {
    const now = this.#deps.clock.now();
    this.#absentSince = isAbsent ? (this.#absentSince ?? now) : null;
    if (this.#absentSince === null || now - this.#absentSince < ABSENT_MS || this.#isAbsenceLogged) return;
    this.#isAbsenceLogged = true;
    this.#deps.logger.warn({ source: this.name }, 'tape not found; waiting for it');
  }

  #begin(at: number): void {
    this.#absentSince = null;
    this.#isAbsenceLogged = false;
    this.#position = at;
    this.#judgedUpTo = this.#judgedInFirst;
    this.#judgedInFirst = 0;
    // A file that replaced the other one has its own header.
    this.#isComplete = isCompleteTape(this.#file.head);
    this.#splitter = new LineSplitter(at);
    this.#pendingClose.begin(at);
    this.#reader.begin(at);
    this.#deps.logger.info({ source: this.name, offset: at }, 'tape opened');
  }

  *#read(bytes: Buffer): Generator<readonly SourceRow[]> {
    this.#state = 'playing';
    this.#pauseMs = POLL_MS.least;
    this.#position += bytes.length;
    const rows = this.#reader.read(this.#splitter.push(bytes));
    this.#pendingClose.handedOver(rows);
    if (rows.length > 0) yield rows;
  }
}

function isCompleteTape(head: Buffer | null): boolean {
  return head !== null && headerOf(head)?.history === 'complete';
}

async function headOf(file: string): Promise<Buffer | null> {
  if (file.endsWith('.gz'))
    throw new UserError(`tail:${file}: expected a plain .jsonl file; replay: reads .gz`);
  return readHead(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    const message = `tail:${file}: expected a .jsonl file that can be read (${cause.message})`;
    throw new UserError(message, { cause });
  });
}

/** `begins`: the following bytes begin at that offset, whatever was read before. */
type Look =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'begins'; readonly at: number }
  | { readonly kind: 'idle' | 'absent' };

type ReadFile = (start: number, length: number) => Promise<Buffer>;

class GrowingFile {
  readonly #file: string;
  readonly #beginAt: (size: number, read: ReadFile) => Promise<number>;
  #opened: { readonly handle: FileHandle; readonly stats: Stats } | null = null;
  #isFirst = true;
  #position = 0;
  #checkedAt = 0;
  head: Buffer = Buffer.alloc(0);
  size = 0;

  /** `beginAt` returns where to begin in the first file; files that replace it are read from their start. */
  constructor(file: string, beginAt: (size: number, read: ReadFile) => Promise<number>) {
    this.#file = file;
    this.#beginAt = beginAt;
  }

  /** Continues where the last look stopped; at the start when the file was truncated or replaced. */
  async look(): Promise<Look> {
    if (this.#opened === null) return this.#attach();
    const { handle, stats } = this.#opened;
    // Before the size: bytes written before a replacement are read before the new file is followed.
    const found = await stat(this.#file).catch(nullIfAbsent);
    const { size, mtimeMs } = await handle.stat();
    this.size = size;
    // File times are coarse: two writes may have the same one.
    const isTouched = size !== this.#position || mtimeMs !== this.#checkedAt;
    this.#checkedAt = mtimeMs;
    if (size < this.#position || (isTouched && !(await startsWith(handle, this.head))))
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
    this.size = stats.size;
    const read: ReadFile = (start, length) => readAt(handle, start, length);
    const start = this.#isFirst ? await this.#beginAt(stats.size, read) : 0;
    this.#isFirst = false;
    return this.#begin(start, await read(0, Math.min(HEAD_BYTES, start)));
  }

  #begin(at: number, known: Buffer): Look {
    this.#position = at;
    this.head = known;
    return { kind: 'begins', at };
  }

  async #readOn(handle: FileHandle): Promise<Look> {
    const bytes = await readAt(handle, this.#position, Math.min(CHUNK_BYTES, this.size - this.#position));
    if (this.head.length === this.#position)
      this.head = Buffer.concat([this.head, bytes]).subarray(0, HEAD_BYTES);
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
