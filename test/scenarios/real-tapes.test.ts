import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../src/core/detection/candidate.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { openReplay } from '../../src/infra/market/tapes/replay.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { CLOSE } from '../support/judge-rows.ts';
import { silentLogger } from '../support/silent-logger.ts';

/** What comes of every row of a tape: how many are judged, and how many left out for which reason. */
async function judge(file: string) {
  const counts: Record<string, number> = { judged: 0 };
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const deps = { clock: systemClock, logger: silentLogger, onDrop: count };
  const tape = join(import.meta.dirname, '../..', file);
  const source = await openReplay({ file: tape, speed: 0, shift: null, checkpoint: null }, deps);
  const detector = new Detector(DEFAULT_RULES, source);
  const all: Candidate[] = [];
  for await (const batch of source.batches(new AbortController().signal)) {
    for (const { row } of batch) {
      const { dropped, candidates } = detector.judge(row);
      if (row.kind === 'trade') count(dropped ?? 'judged');
      all.push(...candidates);
    }
  }
  all.push(...detector.judge(CLOSE).candidates);
  return { counts, candidates: all };
}

describe('real tapes', () => {
  test('the Nobel announcement day, whose paging wrapped: 5,000 rows yield 1,500 trades', async () => {
    const { counts } = await judge('test/fixtures/nobel2025-trades.jsonl.gz');
    expect(counts).toEqual({ judged: 1_500, repeat: 3_500 });
  });

  test('on a partial tape no wallet’s age is known, so none is fresh', async () => {
    expect((await judge('test/fixtures/nobel2025-trades.jsonl.gz')).candidates).toEqual([]);
  });

  test('the Maduro market after the news: prices near 0 and 1 are judged and start no alert', async () => {
    const { counts, candidates } = await judge('test/fixtures/maduro2026-trades.jsonl.gz');
    expect(counts['judged']).toBe(500);
    expect(candidates).toEqual([]);
  });

  test('the midterms tape has no repeat, no bad row and no late one', async () => {
    expect((await judge('data/tapes/midterms-2022.jsonl.gz')).counts).toEqual({ judged: 27_719 });
  });

  test('the points of each of the midterms’ 222 alerts add up to its score, by version 4 of the rules', async () => {
    const { candidates } = await judge('data/tapes/midterms-2022.jsonl.gz');
    const sums = candidates.map(({ details }) =>
      details.reasons.reduce((sum, { points }) => sum + points, 0),
    );
    expect(candidates).toHaveLength(222);
    expect(candidates.map(({ score }) => score)).toEqual(sums.map((sum) => Math.min(100, sum)));
    expect(new Set(candidates.map(({ details }) => details.ruleVersion))).toEqual(new Set(['4']));
  });
});
