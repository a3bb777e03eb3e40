import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { type CaptureOptions, captureJournal } from '../../src/cli/capture.ts';
import type { Lease } from '../../src/core/base/lease/lease.ts';
import type { Database } from '../../src/core/database.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { openReplay } from '../../src/infra/market/tapes/replay.ts';
import {
  createSourceFixture,
  readAll,
  tempFolder,
  withoutClose,
} from '../infra/market/tapes/source-fixture.ts';
import { liveRow } from '../support/live-rows.ts';
import { START } from '../support/rows.ts';

export const MINUTE = 60_000;

export async function leaseOf({ ingest }: Database): Promise<Lease> {
  const lease = await ingest.acquire({ owner: 'a', now: 0, ttlMs: 1_000, isGone: () => true });
  if (lease === null) throw new Error('no lease');
  return lease;
}

/** A journal of batches of two rows, accepted a minute after each other; and a recorder over it. */
export async function fixture(batches = 3) {
  const database = await openDatabase('sqlite::memory:');
  const lease = await leaseOf(database);
  const { clock } = createSourceFixture();
  const folder = await tempFolder();
  const said: string[] = [];
  const stop = new AbortController();
  let count = 0;
  const write = async () => {
    const first = count * 2 + 1;
    const lines = [liveRow(first).line, liveRow(first + 1).line];
    const acceptedAt = START + count * MINUTE;
    expect(await database.journal.append(lease, { first, acceptedAt, lines })).toBe(true);
    count += 1;
  };
  for (let n = 0; n < batches; n += 1) await write();
  const file = join(folder, 'out.jsonl.gz');
  let rows = 0;
  const record = (given: Partial<CaptureOptions> = {}, journal = database.journal) =>
    captureJournal(
      {
        journal,
        clock,
        output: new PassThrough(),
        say: (text) => said.push(text),
        onProgress: (done) => {
          rows = done;
        },
      },
      { file, since: 'start', isFollowing: false, isForced: false, ...given },
      stop.signal,
    );
  return { database, clock, folder, file, said, stop, write, record, written: () => rows };
}

export const expected = (...numbers: number[]) =>
  numbers.map((n) => ({
    row: liveRow(n).row,
    acceptedAt: START + Math.floor((n - 1) / 2) * MINUTE,
    offset: expect.any(Number),
  }));

export async function readTape(file: string) {
  return readAll(
    await openReplay({ file, speed: 0, shift: null, checkpoint: null }, createSourceFixture(START + 1e10)),
  );
}

export const replayed = async (file: string) => withoutClose(await readTape(file));
