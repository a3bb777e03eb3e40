import { describe, expect, test } from 'vitest';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { CLOSE } from '../support/judge-rows.ts';
import { readTape } from '../support/read-tape.ts';

/** What comes of every row of a tape: how many are judged, and how many left out for which reason. */
async function judge(file: string) {
  const counts: Record<string, number> = { judged: 0 };
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const { rows, isComplete } = await readTape(file, count);
  const detector = new Detector(DEFAULT_RULES, { isComplete });
  const candidates = [...rows, CLOSE].flatMap((row) => {
    const judgement = detector.judge(row);
    if (row.kind === 'trade') count(judgement.dropped ?? 'judged');
    return judgement.candidates;
  });
  return { counts, candidates };
}

describe('real tapes', () => {
  test('the Nobel announcement day, whose paging wrapped: 5,000 rows yield 1,500 trades; no wallet’s age is known, so none is fresh', async () => {
    expect(await judge('test/fixtures/nobel2025-trades.jsonl.gz')).toEqual({
      counts: { judged: 1_500, repeat: 3_500 },
      candidates: [],
    });
  });

  test('the Maduro market after the news: prices near 0 and 1 are judged and start no alert', async () => {
    expect(await judge('test/fixtures/maduro2026-trades.jsonl.gz')).toMatchObject({
      counts: { judged: 500 },
      candidates: [],
    });
  });

  test('the midterms tape has no repeat, bad or late row; the points of each of its 222 alerts add up to its score', async () => {
    const { counts, candidates } = await judge('data/tapes/midterms-2022.jsonl.gz');
    expect(counts).toEqual({ judged: 27_719 });
    const sums = candidates.map(({ details }) =>
      details.reasons.reduce((sum, { points }) => sum + points, 0),
    );
    expect(candidates).toHaveLength(222);
    expect(candidates.map(({ score }) => score)).toEqual(sums.map((sum) => Math.min(100, sum)));
    expect(new Set(candidates.map(({ details }) => details.ruleVersion))).toEqual(new Set(['4']));
  });
});
