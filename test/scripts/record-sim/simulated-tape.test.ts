import { expect, test } from 'vitest';
import { simulate } from '../../../scripts/record-sim/simulate.ts';
import { simulatedTape } from '../../../scripts/record-sim/simulated-tape.ts';
import { FAIR_WORLDS, worldNamed } from '../../../scripts/record-sim/worlds.ts';
import { parseLine } from '../../../src/infra/market/tapes/row-schema.ts';

const FAIR = worldNamed('fair');

test.each(FAIR_WORLDS)(
  'the world $name has rows in the form of tapes, in the order of their times',
  (world) => {
    const [, ...lines] = simulatedTape({ world, seed: 1, events: 2 }).lines;
    const rows = lines.map((line) => parseLine(line, Date.UTC(2026, 0, 1)));
    expect(rows.filter(({ kind }) => kind === 'bad')).toEqual([]);
    const times = rows.flatMap((row) => (row.kind === 'bad' || row.at === null ? [] : row.at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  },
);

test('an obvious effect is found, and none where there is none: two tapes through the service and its record', async () => {
  const big = { ...FAIR, name: 'big', drift: 0.12, share: 1 };
  const [found, none] = [
    await simulate({ world: big, seed: 1, events: 56 }),
    await simulate({ world: FAIR, seed: 1, events: 56 }),
  ];
  expect(found).toMatchObject({ world: 'big', verdict: 'above' });
  expect(none).toMatchObject({ world: 'fair', verdict: 'not_shown', held: 'not_shown' });
  for (const { bets, alerts } of [found, none]) expect([bets > 20, alerts > 56]).toEqual([true, true]);
}, 60_000);
