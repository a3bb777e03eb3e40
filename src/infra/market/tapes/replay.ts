import { stat } from 'node:fs/promises';
import type { Clock } from '../../../core/base/time/clock.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import { UserError } from '../../../core/base/user-error.ts';
import {
  publishedTime,
  type SourceRow,
  type TapeSource,
  type TimeMapping,
  tapeTime,
} from '../../../core/trades/source/source.ts';
import { PendingClose } from './pending-close.ts';
import {
  firstTime,
  isPlanFor,
  planOf,
  planReplay,
  type ReplayPace,
  type ReplayPlan,
  replayProblem,
} from './replay-plan.ts';
import { assertTape, headerOf, RowReader } from './row-schema.ts';
import { type SourceDeps, type SourceStart, tapeSourceName } from './source-deps.ts';
import { identityOf, isSameFile, nullIfAbsent, readHead, readLines, uncompressedSize } from './tape-file.ts';

export interface ReplayOptions extends SourceStart, ReplayPace {
  readonly file: string;
}

/** Plays a finished tape (tape-format.md). Throws a `UserError` that says what is wrong with it. */
export async function openReplay(options: ReplayOptions, deps: SourceDeps): Promise<TapeSource> {
  const { file } = options;
  const name = tapeSourceName('replay', file);
  const tape = await openTape(options, deps);
  const { plan, judged, identity } = tape;
  const { mapping, pace } = plan;
  const start = options.isRebuild === true ? 0 : judged;
  announce(plan, { source: name, offset: start }, deps);
  const pendingClose = new PendingClose(start, deps.clock);
  const pacing = new Pacing(pace, pendingClose, deps.clock);
  const reader = new RowReader(deps, name);
  let offset = start;
  let stage: 'starting' | 'reading' | 'finished' = 'starting';
  return {
    name,
    isComplete: tape.isComplete,
    isLive: false,
    mapping,
    judgedUpTo: judged - start,
    checkpoint: (at) => ({ offset: at, identity, mapping, pace }),
    async *batches(signal) {
      offset = start;
      reader.begin(offset);
      for await (const lines of readLines(file, offset)) {
        for await (const rows of pacing.due(reader.read(lines), signal)) {
          offset = rows.at(-1)?.offset ?? offset;
          stage = 'reading';
          yield rows;
        }
        if (signal.aborted) return;
      }
      if (signal.aborted) return;
      if (pendingClose.isPending) yield [pendingClose.take()];
      stage = 'finished';
    },
    status() {
      const isFinished = stage === 'finished';
      const history = mapping.hasHistory ? historyShare(tape, pacing.watermark) : null;
      return {
        state: stage !== 'reading' ? stage : history === null || history === 1 ? 'playing' : 'history',
        progress: isFinished ? 1 : share(offset, tape.size),
        historyProgress: isFinished && history !== null ? 1 : history,
      };
    },
  };
}

/** What is known of a tape before it is played. `size`: uncompressed bytes; `dueAt`: rows up to it are due when it is opened. */
async function openTape(options: ReplayOptions, deps: SourceDeps) {
  const { file } = options;
  const problem = replayProblem(options);
  if (problem !== null) throw new UserError(problem);
  await assertFile(file);
  const [head, size] = [await readHead(file), await uncompressedSize(file)];
  assertTape(`replay:${file}`, head);
  const resumed = resumePoint(options, { head, size }, deps);
  const plan = resumed?.plan ?? (await planReplay(options, deps.clock));
  const now = deps.clock.now();
  const firstAt = plan.mapping.hasHistory ? await firstTime(file, now) : null;
  const dueAt = tapeTime(plan.mapping, now);
  const identity = resumed?.identity ?? identityOf(head);
  const isComplete = headerOf(head)?.history === 'complete';
  return { plan, judged: resumed?.offset ?? 0, identity, isComplete, size, firstAt, dueAt };
}

function historyShare({ firstAt, dueAt }: Awaited<ReturnType<typeof openTape>>, time: number): number {
  const start = firstAt ?? dueAt;
  return start >= dueAt ? 1 : share(time - start, dueAt - start);
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 1 : Math.min(1, Math.max(0, part / whole));
}

async function assertFile(file: string): Promise<void> {
  const found = await stat(file).catch(nullIfAbsent);
  if (found?.isFile() === true) return;
  const problem = found === null ? 'there is no such file' : 'that is not a file';
  throw new UserError(`replay:${file}: ${problem}; expected a tape, a .jsonl or .jsonl.gz file`);
}

function resumePoint(
  { checkpoint, speed, shift, file }: ReplayOptions,
  { head, size }: { head: Buffer; size: number },
  { logger }: SourceDeps,
): { plan: ReplayPlan; offset: number; identity: string } | null {
  if (checkpoint === null) return null;
  const plan = planOf(checkpoint);
  // A gzip trailer states the size of large files only in part.
  const isCut = !file.endsWith('.gz') && checkpoint.offset > size;
  if (plan === null || isCut || !isSameFile(checkpoint.identity, head)) {
    logger.warn({ file }, 'tape replaced by another one; playing it from its start');
    return null;
  }
  if (!isPlanFor(plan, speed, shift)) {
    logger.warn(
      { file, speed, shift },
      'resuming the tape with its earlier speed and shift; the new ones are ignored',
    );
  }
  return { plan, offset: checkpoint.offset, identity: checkpoint.identity };
}

function announce({ mapping, pace }: ReplayPlan, fields: object, { logger }: SourceDeps): void {
  const pivot = new Date(mapping.pivot).toISOString();
  const origin = new Date(mapping.origin).toISOString();
  logger.info({ ...fields, pivot, origin, speed: pace?.speed ?? 0 }, 'tape opened');
}

/** Timers hold at most 24 days; longer pauses are split. */
const LONGEST_SLEEP_MS = 3_600_000;

/** Passes rows on when they are due; the last second is closed when the pace has passed it. */
class Pacing {
  readonly #pace: TimeMapping | null;
  readonly #pendingClose: PendingClose;
  readonly #clock: Clock;
  #watermark: EpochMs = 0;

  constructor(pace: TimeMapping | null, pendingClose: PendingClose, clock: Clock) {
    this.#pace = pace;
    this.#pendingClose = pendingClose;
    this.#clock = clock;
  }

  /** The largest time of the passed rows and of the next one; 0 before the first, and without a pace. */
  get watermark(): EpochMs {
    return this.#watermark;
  }

  async *due(rows: readonly SourceRow[], signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    for (let from = 0; from < rows.length && !signal.aborted; ) {
      const count = this.#countDue(rows, from);
      if (count > 0) {
        const batch = count === rows.length ? rows : rows.slice(from, from + count);
        this.#pendingClose.handedOver(batch);
        yield batch;
        from += count;
      } else if (this.#pace !== null) {
        yield* this.#wait(this.#pace, signal);
      }
    }
  }

  #countDue(rows: readonly SourceRow[], from: number): number {
    if (this.#pace === null) return rows.length - from;
    const now = this.#clock.now();
    let { time } = this.#pendingClose;
    let end = from;
    for (; end < rows.length; end++) {
      const row = rows[end]?.row;
      // Close rows and removed fills have no time: they are due with the row before them.
      const isTimed = row?.kind !== 'close' && row?.kind !== 'removed';
      this.#watermark = Math.max(time, isTimed ? (row?.at ?? 0) : 0);
      if (publishedTime(this.#pace, this.#watermark) > now) break;
      time = this.#watermark;
    }
    return end - from;
  }

  async *#wait(pace: TimeMapping, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const now = this.#clock.now();
    const { isPending, dueAt } = this.#pendingClose;
    const closesIn = isPending ? publishedTime(pace, dueAt) - now : Number.POSITIVE_INFINITY;
    if (closesIn <= 0) {
      yield [this.#pendingClose.take()];
      return;
    }
    const rowIn = publishedTime(pace, this.#watermark) - now;
    await this.#clock.sleep(Math.min(rowIn, closesIn, LONGEST_SLEEP_MS), signal);
  }
}
