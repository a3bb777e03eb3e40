import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { orderlyFaults } from '../support/market/faults.ts';
import { differences, runFeed } from '../support/market/feed-run.ts';
import { type AlertFacts, judgeDirectly, liveFormOf, withoutMarkets } from '../support/market/live-form.ts';
import { readRows, tapeOf } from '../support/market/market-tape.ts';
import { seededRandom } from '../support/random.ts';

/** Three busy hours of the eve of the election: 189 trades, 25 alerts of wallets that are new in them. */
const FROM = Date.parse('2022-11-07T15:00:00Z') / 1_000;
const UNTIL = FROM + 3 * 3_600;

test('live: a part of the midterms, refusals, hangs, garbage, repeats and two kills give exactly the alerts of a direct replay', async () => {
  const rows = await readRows('data/tapes/midterms-2022.jsonl.gz');
  const tape = tapeOf(
    rows.filter((row) => {
      const at = Number(row['timestamp']);
      return 'question' in row || (at >= FROM && at < UNTIL);
    }),
  );
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-live-'));
  const outcome = await runFeed({
    tape,
    url: `sqlite:${join(folder, 'live.db')}`,
    faults: orderlyFaults(3),
    random: seededRandom(3),
    kills: 2,
  });
  const expected = judgeDirectly(liveFormOf(tape), { isComplete: false });
  expect(expected.size).toBe(25);
  expect([outcome.missing, outcome.twice]).toEqual([0, 0]);
  const isSame = (a: unknown, b: unknown) =>
    isDeepStrictEqual(withoutMarkets(a as AlertFacts), withoutMarkets(b as AlertFacts));
  expect(differences(outcome.alerts, expected, isSame)).toEqual([]);
  // A route that fails for three wallets in a row is left alone for ten minutes, and markets of all time are counted for
  // the wallets of that time: how many of the 25 they are depends on when it happens.
  expect(differences(outcome.alerts, expected, isDeepStrictEqual).length).toBeLessThanOrEqual(6);
  expect(outcome.largestShare.share).toBeLessThanOrEqual(0.5);
});
