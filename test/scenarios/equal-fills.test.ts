import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { captureJournal } from '../../src/cli/capture.ts';
import type { Candidate } from '../../src/core/detection/candidate.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { SourceRow } from '../../src/core/trades/source/source.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { openReplay } from '../../src/infra/market/tapes/replay.ts';
import { openTail } from '../../src/infra/market/tapes/tail.ts';
import {
  createSourceFixture,
  readAll,
  startReading,
  TAPE_START,
  tempFolder,
  toLines,
  wireTrade,
  writeTape,
} from '../infra/market/tapes/source-fixture.ts';
import { closeRow } from '../support/rows.ts';

const HEADER = { tape: { history: 'complete' } };
/** Two resting orders of one wallet, 2,000 shares at 30 and 31 cents, swept in one transaction. */
const LADDER = [wireTrade({ size: 2_000, price: 0.3 }), wireTrade({ size: 2_000, price: 0.31, n: 2 })];
const WITHOUT_ORDINALS = LADDER.map(({ n: _n, ...row }) => row);

function judged(rows: readonly SourceRow[]) {
  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  const found: Candidate[] = [];
  const dropped: unknown[] = [];
  for (const row of [...rows.map((each) => each.row), closeRow()]) {
    const judgement = detector.judge(row);
    found.push(...judgement.candidates);
    if (judgement.dropped !== null) dropped.push(judgement.dropped);
  }
  return { alerts: found.map(({ type, usdc }) => [type, usdc]), dropped };
}

const whole = { alerts: [['fresh', 1_220]], dropped: [] };
const repeated = { alerts: [], dropped: ['repeat'] };

async function replayed(rows: readonly unknown[]): Promise<readonly SourceRow[]> {
  const file = await writeTape([HEADER, ...rows]);
  return readAll(await openReplay({ file, speed: 0, shift: null, checkpoint: null }, createSourceFixture()));
}

async function followed(rows: readonly unknown[]): Promise<readonly SourceRow[]> {
  const file = await writeTape([HEADER]);
  const fixture = createSourceFixture();
  const { taken, stop, done } = startReading(await openTail({ file, checkpoint: null }, fixture));
  await fixture.clock.asleep();
  await appendFile(file, toLines(rows));
  while (taken.length < rows.length) await fixture.clock.advance(100).then(() => fixture.clock.asleep());
  stop();
  await done;
  return taken;
}

/** The rows as lines of the journal, recorded as a tape, and that replayed. */
async function recorded(rows: readonly unknown[]): Promise<readonly SourceRow[]> {
  const { journal, ingest } = await openDatabase('sqlite::memory:');
  const lease = await ingest.acquire({ owner: 'a', now: 0, ttlMs: 1_000, isGone: () => true });
  if (lease === null) throw new Error('no lease');
  const lines = rows.map((row) => JSON.stringify(row));
  await journal.append(lease, { first: 1, acceptedAt: TAPE_START + 5_000, lines });
  const file = join(await tempFolder(), 'recording.jsonl');
  const { clock } = createSourceFixture();
  await captureJournal(
    { journal, clock, output: new PassThrough(), say: () => {}, onProgress: () => {} },
    { file, since: 'start', isFollowing: false, isForced: false },
    new AbortController().signal,
  );
  return readAll(await openReplay({ file, speed: 0, shift: null, checkpoint: null }, createSourceFixture()));
}

describe('two equal orders of one transaction', () => {
  test.each([
    ['replay:', replayed],
    ['tail:', followed],
    ['a recording of the journal', recorded],
  ])('are two on %s where the row says so, and one without', async (_name, read) => {
    expect(judged(await read(LADDER))).toEqual(whole);
    expect(judged(await read(WITHOUT_ORDINALS))).toEqual(repeated);
  });
});
