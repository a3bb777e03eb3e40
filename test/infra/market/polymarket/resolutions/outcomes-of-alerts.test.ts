import { expect, test } from 'vitest';
import { outcomesOfAlerts } from '../../../../../src/infra/market/polymarket/resolutions/settled-rows.ts';

const named = (...pairs: [string, number][]) =>
  pairs.map(([outcome, outcomeIndex]) => ({ outcome, outcomeIndex }));

test.each([
  ['the place that an alert gives its outcome', named(['No', 1]), ['', 'No']],
  ['both places', named(['No', 1], ['Yes', 0], ['No', 1]), ['Yes', 'No']],
  ['the name that is left for the place that is left', named(['No', 1], ['Yes', 999]), ['Yes', 'No']],
  ['a place without its name', named(['outcome 1', 1]), ['', '']],
  ['a place whose name another alert knows', named(['outcome 1', 1], ['No', 1]), ['', 'No']],
  ['no name for an id', named(['No', 1], ['token 123456…', 999]), ['', 'No']],
])('of two outcomes alerts tell %s', (_what, alerts, outcomes) => {
  expect(outcomesOfAlerts(alerts, 2)).toEqual(outcomes);
});

test.each([
  ['there is no alert', named()],
  ['no place is known', named(['Yes', 999], ['No', 999])],
  ['one place has two names', named(['Yes', 0], ['No', 0])],
  ['one name has two places', named(['Yes', 0], ['Yes', 1])],
])('they tell nothing where %s', (_what, alerts) => {
  expect(outcomesOfAlerts(alerts, 2)).toBeNull();
});

test('of three outcomes, one is left over only where two are known', () => {
  expect(outcomesOfAlerts(named(['A', 0], ['C', 999]), 3)).toEqual(['A', '', '']);
  expect(outcomesOfAlerts(named(['A', 0], ['B', 1], ['C', 999]), 3)).toEqual(['A', 'B', 'C']);
});
