import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { EpochMs } from '../../../../src/core/base/time/duration.ts';
import type {
  Checkpoint,
  DropReason,
  SourceRow,
  TapeSource,
} from '../../../../src/core/trades/source/source.ts';
import { openReplay, type ReplayOptions } from '../../../../src/infra/market/tapes/replay.ts';
import { parseLine } from '../../../../src/infra/market/tapes/row-schema.ts';
import type { SourceDeps } from '../../../../src/infra/market/tapes/source-deps.ts';
import { openTail } from '../../../../src/infra/market/tapes/tail.ts';
import { createFakeClock, type FakeClock } from '../../../support/clock.ts';
import { gammaMarket } from '../../../support/polymarket/gamma-market.ts';
import { upstreamTrade } from '../../../support/polymarket/upstream-rows.ts';

/** The wall clock's start in these tests, well after every tape. */
export const TODAY = Date.UTC(2026, 0, 2, 12);
export const TAPE_START = Date.UTC(2022, 10, 7, 15);

export function wireTrade(given: Record<string, unknown> = {}): Record<string, unknown> {
  return upstreamTrade({ size: 100, timestamp: TAPE_START / 1_000, transactionHash: '0xt1', ...given });
}

export function wireMarket(given: Record<string, unknown> = {}): Record<string, unknown> {
  return gammaMarket({
    conditionId: '0xm1',
    question: 'Will the measure pass?',
    slug: 'will-the-measure-pass',
    clobTokenIds: '["1001","1002"]',
    endDate: '2022-11-08T00:00:00Z',
    tags: [{ slug: 'Politics' }],
    events: [{ slug: 'measures', title: 'Measures' }],
    ...given,
  });
}

/** Trades at these seconds after the tape's start, each with a transaction named after its place. */
export function tradesAt(...seconds: number[]): Record<string, unknown>[] {
  return seconds.map((second, index) =>
    wireTrade({ timestamp: TAPE_START / 1_000 + second, transactionHash: `0xt${index + 1}` }),
  );
}

export const parse = (row: unknown) => parseLine(JSON.stringify(row), TODAY);
export const reasonOf = (row: unknown) => {
  const parsed = parse(row);
  return parsed.kind === 'bad' ? `${parsed.reason}: ${parsed.detail}` : parsed.kind;
};

export const toLines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** A folder that is gone when the test is over. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-sources-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A tape of these rows; packed where the name ends in .gz. */
export async function writeTape(rows: readonly unknown[], name = 'tape.jsonl'): Promise<string> {
  const file = join(await tempFolder(), name);
  const text = toLines(rows);
  await writeFile(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return file;
}

export interface SourceFixture extends SourceDeps {
  readonly clock: FakeClock;
  readonly dropped: DropReason[];
  readonly warnings: string[];
}

export function createSourceFixture(now: EpochMs = TODAY): SourceFixture {
  const dropped: DropReason[] = [];
  const warnings: string[] = [];
  return {
    clock: createFakeClock(now),
    logger: {
      debug: () => {},
      info: () => {},
      warn: (_fields, message) => warnings.push(message),
      error: () => {},
    },
    onDrop: (reason) => dropped.push(reason),
    dropped,
    warnings,
  };
}

/**
 * Reads a source in the background; `taken` fills as its batches come, `judged` with those of them that an earlier run judged,
 * according to the source. Ends with the test.
 */
export function startReading(source: TapeSource) {
  const taken: SourceRow[] = [];
  const judged: SourceRow[] = [];
  const controller = new AbortController();
  const read = async () => {
    for await (const batch of source.batches(controller.signal)) {
      taken.push(...batch);
      judged.push(...batch.filter(({ offset }) => offset <= (source.judgedUpTo ?? 0)));
    }
  };
  const done = read();
  onTestFinished(async () => {
    controller.abort();
    await done;
  });
  return { taken, judged, done, stop: () => controller.abort() };
}

export async function readAll(source: TapeSource): Promise<SourceRow[]> {
  const { taken, done } = startReading(source);
  await done;
  return taken;
}

export const withoutClose = (rows: readonly SourceRow[]) => rows.filter(({ row }) => row.kind !== 'close');

export const transactionsOf = (rows: readonly SourceRow[]) =>
  rows.flatMap(({ row }) => (row.kind === 'trade' ? row.trade.transaction : []));

export const kindsOf = (rows: readonly SourceRow[]) => rows.map(({ row }) => row.kind);

export const stored = (checkpoint: Checkpoint) => JSON.parse(JSON.stringify(checkpoint)) as Checkpoint;

export function openTape(
  file: string,
  options: Partial<ReplayOptions> = {},
  fixture: SourceFixture = createSourceFixture(),
): Promise<TapeSource> {
  return openReplay({ file, speed: 0, shift: null, checkpoint: null, ...options }, fixture);
}

/** A replay at a pace that waits for its next row. */
export async function play(
  tape: string | readonly unknown[],
  options: Partial<ReplayOptions> = {},
  fixture: SourceFixture = createSourceFixture(),
) {
  const file = typeof tape === 'string' ? tape : await writeTape(tape);
  const source = await openTape(file, { speed: 1, shift: TAPE_START, ...options }, fixture);
  const reading = startReading(source);
  await Promise.race([fixture.clock.asleep(), reading.done]);
  return { ...reading, source, clock: fixture.clock };
}

/** A tail that has read all there is; `pass` lets time go by, with a look at the file at least every 100 ms. */
export async function follow(file: string, checkpoint: Checkpoint | null = null, isRebuild = false) {
  const fixture = createSourceFixture();
  const source = await openTail({ file, checkpoint, isRebuild }, fixture);
  const reading = startReading(source);
  await fixture.clock.asleep();
  async function pass(ms = 100): Promise<string[]> {
    for (let passed = 0; passed < ms; passed += 50) {
      await fixture.clock.advance(50);
      await fixture.clock.asleep();
    }
    return kindsOf(reading.taken);
  }
  const next = () => pass().then(() => transactionsOf(reading.taken));
  return { source, ...reading, pass, next, fixture };
}

/** The checkpoint after the first rows of a file, of a followed tape that was stopped. */
export async function checkpointAfter(file: string, rows: number): Promise<Checkpoint> {
  const { source, taken, stop, done } = await follow(file);
  stop();
  await done;
  return stored(source.checkpoint(taken[rows - 1]?.offset ?? 0));
}

export const HEADER = { tape: { history: 'complete' } };

/** The line of a trade. */
export const tradeLineOf = (transactionHash: string) => toLines([wireTrade({ transactionHash })]);
