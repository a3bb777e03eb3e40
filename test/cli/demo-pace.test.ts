import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoOptions } from '../../src/cli/demo.ts';
import { quietSpans } from '../../src/cli/demo-pace.ts';
import { loadRules } from '../../src/config/detection-rules.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import { publishedTime } from '../../src/core/trades/source/source.ts';
import { MIDTERMS_TAPE } from '../../src/infra/process/program.ts';
import { momentsOfTape, type TapeMoments } from '../../src/wiring/tape-record.ts';

const DELAY_MS = 5 * MINUTE_MS;
let moments: TapeMoments;
beforeAll(async () => {
  moments = await momentsOfTape(join(import.meta.dirname, '../..', MIDTERMS_TAPE), await loadRules(null));
});

/** When lines appear, in ms after the start: when the page shows the alerts and results. */
function linesOf(speed?: string) {
  const options = demoOptions(speed === undefined ? {} : { speed });
  const from = options.shift ?? 0;
  const skips = quietSpans(moments, { from, speed: options.speed });
  const mapping = { pivot: from, origin: -DELAY_MS, speed: options.speed, hasHistory: true, skips };
  const shown = (at: number) => publishedTime(mapping, at) + DELAY_MS;
  const alerts = moments.alerts.filter((at) => at > from).map(shown);
  const results = moments.results.filter((at) => at > from).map(shown);
  const lines = [...alerts, ...results].sort((a, b) => a - b);
  const gaps = lines.map((at, index) => at - (lines[index - 1] ?? 0));
  return { alerts, results, lines, gaps };
}

describe('the demo', () => {
  test('has an alert or a result every 15 seconds for five minutes, the first result in the second one', () => {
    const { results, lines, gaps } = linesOf();

    expect(lines.at(-1)).toBeGreaterThan(5 * MINUTE_MS);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(15 * SECOND_MS);
    expect(results[0]).toBeLessThan(2 * MINUTE_MS);
  });

  test.each(['60', '300', '500', '1200', '9000'])(
    'at speed %s never waits longer for the next of them',
    (speed) => {
      const { gaps } = linesOf(speed);

      expect(Math.max(...gaps)).toBeLessThanOrEqual(15 * SECOND_MS);
    },
  );
});

describe('what a replay leaves out', () => {
  const from = 1_000 * HOUR_MS;
  const at = (hours: number) => from + hours * HOUR_MS;
  const spans = (alerts: number[], results: number[] = []) =>
    quietSpans({ alerts: alerts.map(at), results: results.map(at) }, { from, speed: 300 }).map((span) => [
      (span.from - from) / HOUR_MS,
      (span.until - from) / HOUR_MS,
    ]);

  test('is all but the last hour before an alert or a result', () => {
    expect(spans([0.5, 3, 4, 30])).toEqual([
      [0.5, 2],
      [4, 29],
    ]);
    expect(spans([3], [2, 4, 10])).toEqual([
      [0, 1],
      [4, 9],
    ]);
  });

  test('is nothing where there is nothing to come, and nothing of what was before the run', () => {
    expect(spans([])).toEqual([]);
    expect(spans([-20, -5])).toEqual([]);
    expect(spans([], [8])).toEqual([[0, 7]]);
  });
});
