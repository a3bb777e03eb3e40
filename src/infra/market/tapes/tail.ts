import type { EpochMs } from '../../../core/base/time/duration.ts';
import { UserError } from '../../../core/base/user-error.ts';
import type { Checkpoint, SourceRow, SourceStatus, TapeSource } from '../../../core/trades/source/source.ts';
import { assertTape } from './assert-tape.ts';
import { type FoundFile, GrowingFile } from './growing-file.ts';
import { LineSplitter } from './line-splitter.ts';
import { PendingClose } from './pending-close.ts';
import { RowReader } from './row-reader.ts';
import { headerOf } from './row-schema.ts';
import { type SourceDeps, type SourceStart, tapeSourceName } from './source-deps.ts';
import { HEAD_BYTES, identityOf, isSameFile, readHead } from './tape-file.ts';

/** Pauses between two reads: short while the file grows, then longer by a quarter each time. */
const POLL_MS = { least: 2, most: 100 };
/** By then the other fills of an order are in the file. */
const CLOSE_AFTER_MS = 2_000;
/** A file that is absent for this long is logged. */
const ABSENT_MS = 1_000;
const LINE_FEED = 10;

interface TailOptions extends SourceStart {
  /** A plain `.jsonl`, which need not exist yet. */
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
    this.#isComplete = head !== null && headerOf(head)?.history === 'complete';
    this.#file = new GrowingFile(file, async (found) => {
      const offset = await resumeOffset(found, checkpoint, deps);
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
    const identity = identityOf(head);
    return {
      offset,
      identity: head.length > 0 ? identity : (this.#checkpoint?.identity ?? identity),
      mapping: null,
    };
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
    this.#isComplete = headerOf(this.#file.head)?.history === 'complete';
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

async function headOf(file: string): Promise<Buffer | null> {
  if (file.endsWith('.gz'))
    throw new UserError(`tail:${file}: expected a plain .jsonl file; replay: reads .gz`);
  return readHead(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    throw new UserError(`tail:${file}: expected a .jsonl file that can be read (${cause.message})`, {
      cause,
    });
  });
}

/** A line must begin there: a file that replaced a shorter one may begin with the same bytes. */
async function resumeOffset(
  { size, read }: FoundFile,
  checkpoint: Checkpoint | null,
  { logger }: SourceDeps,
): Promise<number> {
  if (checkpoint === null || checkpoint.offset === 0) return 0;
  const { offset, identity } = checkpoint;
  const isKnown = isSameFile(identity, await read(0, HEAD_BYTES));
  if (isKnown && (await read(offset - 1, 1))[0] === LINE_FEED) return offset;
  logger.warn({ offset, size }, 'tape replaced by another one; reading it from its start');
  return 0;
}
