import type { Checkpoint, SourceStatus, TapeSource } from '../../core/ports/source.ts';
import { UserError } from '../../core/user-error.ts';
import { type FoundFile, followFile } from './growing-file.ts';
import { createLineSplitter } from './line-splitter.ts';
import { PendingClose } from './pending-close.ts';
import { createRowReader } from './row-reader.ts';
import { headerOf } from './row-schema.ts';
import type { SourceDeps } from './source-deps.ts';
import { HEAD_BYTES, identityOf, isSameFile, readHead } from './tape-file.ts';

/** A file that grows is looked at again soon; one that rests, after a quarter of the time for which it has rested. */
const POLL_MS = { least: 2, most: 100 };
/** A trade's other fills are in the file by then. */
const CLOSE_AFTER_MS = 2_000;
const LINE_FEED = 10;

export interface TailOptions {
  /** A plain `.jsonl`, which need not exist yet. */
  readonly file: string;
  /** Where an earlier run stood; another file under the same name is read from its start. */
  readonly checkpoint: Checkpoint | null;
}

/**
 * Follows a growing tape; one that is cut or replaced is read from its start. At its end, 2 s after the last trade, it
 * closes what is pending. `isComplete` turns true when the header is read, so where the file is still empty only with the
 * first batch. Throws when the file cannot be read.
 */
export async function openTail({ file, checkpoint }: TailOptions, deps: SourceDeps): Promise<TapeSource> {
  const head = await headOf(file);
  const name = tailName(file);
  const growing = followFile(file, (found) => resumeOffset(found, checkpoint, deps));
  let isComplete = head !== null && headerOf(head)?.history === 'complete';
  let state: SourceStatus['state'] = 'starting';
  let position = 0;
  const reader = createRowReader(deps, name, (header) => {
    isComplete = header.history === 'complete';
  });

  return {
    name,
    get isComplete() {
      return isComplete;
    },
    isLive: true,
    mapping: null,
    checkpoint: (offset) => ({
      offset,
      identity:
        growing.head.length > 0
          ? identityOf(growing.head)
          : (checkpoint?.identity ?? identityOf(growing.head)),
      mapping: null,
    }),
    async *batches(signal) {
      let splitter = createLineSplitter(0);
      let pauseMs = POLL_MS.least;
      const pendingClose = new PendingClose(checkpoint?.offset ?? 0, deps.clock);
      try {
        while (!signal.aborted) {
          const look = await growing.look();
          if (look.kind === 'bytes') {
            state = 'playing';
            pauseMs = POLL_MS.least;
            position += look.bytes.length;
            const rows = reader.read(splitter.push(look.bytes));
            pendingClose.handedOver(rows);
            if (rows.length > 0) yield rows;
          } else if (look.kind === 'begins') {
            position = look.at;
            // A file that took the other's place says for itself whether it is complete.
            isComplete = headerOf(growing.head)?.history === 'complete';
            splitter = createLineSplitter(position);
            pendingClose.begin(position);
            reader.begin(position);
            deps.logger.info({ source: name, offset: position }, 'tape opened');
          } else {
            state = look.kind === 'idle' ? 'at_end' : 'starting';
            if (pendingClose.isPendingFor(CLOSE_AFTER_MS)) yield [pendingClose.take()];
            await deps.clock.sleep(pauseMs, signal);
            pauseMs = Math.min(pauseMs * 1.25, POLL_MS.most);
          }
        }
      } finally {
        await growing.close();
      }
    },
    status: () => ({
      state,
      progress: growing.size > 0 ? Math.min(1, position / growing.size) : null,
      historyProgress: null,
    }),
  };
}

/** The name under which checkpoints of a followed tape are kept. */
export function tailName(file: string): string {
  return `tail:${file}`;
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

/** A line has to begin there: what a shorter file was overwritten with may begin like it. */
async function resumeOffset(
  { size, read }: FoundFile,
  checkpoint: Checkpoint | null,
  { logger }: SourceDeps,
): Promise<number> {
  if (checkpoint === null || checkpoint.offset === 0) return 0;
  const { offset, identity } = checkpoint;
  const isKnown = isSameFile(identity, await read(0, HEAD_BYTES));
  if (isKnown && (await read(offset - 1, 1))[0] === LINE_FEED) return offset;
  logger.warn({ offset, size }, 'another tape lies under this name now; it is read from its start');
  return 0;
}
