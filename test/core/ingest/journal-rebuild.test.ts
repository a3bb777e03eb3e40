import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Lease } from '../../../src/core/base/lease/lease.ts';
import type { Database } from '../../../src/core/database.ts';
import { createJournalledSource } from '../../../src/core/ingest/journalled-source.ts';
import type { LiveRow, SourceRow, SourceStatus } from '../../../src/core/trades/source/source.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { liveFeedOf, liveRow, nothingKnown, parseLive } from '../../support/live-rows.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';
import { quickClock } from './rebuild-fixture.ts';

const HOUR = 3_600_000;
const NOW = START + HOUR;

let database: Database;
let lease: Lease;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  const acquired = await database.ingest.acquire({ owner: 'a', now: 0, ttlMs: 1_000, isGone: () => true });
  if (acquired === null) throw new Error('no lease');
  lease = acquired;
});
afterEach(() => database.close());

/** A journal of batches of two rows, as an earlier run left it. */
async function journalOf(batches: number, from = 1): Promise<void> {
  for (let first = from; first < from + batches * 2; first += 2) {
    const lines = [liveRow(first).line, liveRow(first + 1).line];
    await database.journal.append(lease, { first, acceptedAt: NOW + first, lines });
  }
}

function open(feed: readonly (readonly LiveRow[])[], offset: number) {
  const logger = createRecordingLogger();
  const source = createJournalledSource({
    feed: liveFeedOf(feed),
    journal: database.journal,
    parse: parseLive,
    checkpoint: { offset, identity: 'journal', mapping: null },
    isRebuild: true,
    keepMs: HOUR,
    clock: quickClock(() => NOW),
    logger,
  });
  const warnings = () => logger.lines.filter(({ level }) => level === 'warn');
  return { source, warnings };
}

/** All that a source passes on, with its status at each batch. */
async function take({ source }: ReturnType<typeof open>) {
  const taken: { rows: readonly SourceRow[]; judgedUpTo: number; status: SourceStatus }[] = [];
  const run = { lease, knowledge: nothingKnown };
  for await (const rows of source.batches(new AbortController().signal, run))
    taken.push({ rows, judgedUpTo: source.judgedUpTo ?? 0, status: source.status() });
  const offsets = taken.flatMap(({ rows }) => rows.map(({ offset }) => offset));
  return { taken, offsets };
}

describe('a journalled source that rebuilds a state', () => {
  test('passes on all stored rows, and says up to which an earlier run judged them', async () => {
    await journalOf(3);
    const opened = open([[liveRow(7)]], 4);
    const { taken, offsets } = await take(opened);

    expect(offsets).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(taken.map(({ judgedUpTo }) => judgedUpTo)).toEqual([4, 4, 4, 4]);
    expect(opened.warnings()).toEqual([]);
  });

  test('shows how far it is as a feed that catches up, and is ready meanwhile', async () => {
    await journalOf(3);
    const { taken } = await take(open([[liveRow(7)]], 4));

    expect(taken.map(({ status }) => [status.state, status.progress])).toEqual([
      ['catching_up', 0.5],
      ['playing', null],
      ['playing', null],
      ['playing', null],
    ]);
  });

  test('begins where the journal begins, and says from which moment on anything is known', async () => {
    await journalOf(3);
    await database.journal.prune({ position: 3, acceptedBefore: Number.MAX_SAFE_INTEGER, limit: 10 });
    const opened = open([], 4);

    expect((await take(opened)).offsets).toEqual([3, 4, 5, 6]);
    expect(opened.warnings()).toEqual([
      expect.objectContaining({
        fields: { source: 'polymarket', from: new Date(NOW + 3).toISOString() },
        message: expect.stringContaining('positions and threads of older trades are lost'),
      }),
    ]);
  });

  test('counts nothing as judged that the feed passes on, though the snapshot is ahead of the journal', async () => {
    await journalOf(1);
    const opened = open([[liveRow(3)]], 70);
    const { taken, offsets } = await take(opened);

    expect(offsets).toEqual([1, 2, 3]);
    expect(taken.at(-1)?.judgedUpTo).toBe(2);
    expect(opened.warnings()[0]?.message).toContain('ahead of the journal');
  });

  test('with all rows pruned that were judged counts none of the others as judged', async () => {
    await journalOf(3);
    await database.journal.prune({ position: 5, acceptedBefore: Number.MAX_SAFE_INTEGER, limit: 10 });
    const { taken, offsets } = await take(open([], 4));

    expect(offsets).toEqual([5, 6]);
    expect(taken.map(({ judgedUpTo }) => judgedUpTo)).toEqual([4]);
  });
});
