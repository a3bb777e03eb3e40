import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { signFlipP } from '../../src/core/record/chance.ts';
import { Draws } from './draws.ts';

const EVENTS = [50, 100, 200, 400] as const;
const EFFECTS = Array.from({ length: 11 }, (_, index) => index / 200);
/** Records drawn for a point: the standard error of a share of one half is 1.6 %. */
const RECORDS = 1_000;
const FLIPS = 499;
const ERROR = 0.05;

interface PowerCurve {
  readonly events: number;
  readonly points: readonly { readonly effect: number; readonly found: number }[];
}

/**
 * The power of the primary figure by its test alone: the figures of independent events are drawn from a normal distribution
 * with this deviation, and no tape is made. One verdict has the whole error, as on the simulated tapes.
 */
export function powerCurves(deviation: number, records = RECORDS): readonly PowerCurve[] {
  return EVENTS.map((events) => {
    const foundAt = (effect: number) => foundShare({ events, effect, deviation }, records);
    return { events, points: EFFECTS.map((effect) => ({ effect, found: foundAt(effect) })) };
  });
}

interface World {
  readonly events: number;
  readonly effect: number;
  readonly deviation: number;
}

function foundShare(world: World, records: number): number {
  const level = ERROR * (DEFAULT_RULES.record.comparisons[0]?.weight ?? 1);
  let found = 0;
  for (let record = 0; record < records; record++) {
    const blocks = drawBlocks(world, record);
    const isAbove = blocks.reduce((total, { sum }) => total + sum, 0) > 0;
    if (isAbove && signFlipP(blocks, FLIPS) <= level) found += 1;
  }
  return found / records;
}

function drawBlocks({ events, effect, deviation }: World, record: number) {
  const draws = new Draws(record, events, 3);
  return Array.from({ length: events }, () => {
    return { events: 1, sum: effect + deviation * draws.normal(), price: 0 };
  });
}

export function powerTable(curves: readonly PowerCurve[]): readonly (readonly string[])[] {
  const rows = EFFECTS.map((effect, index) => [
    `${(effect * 100).toFixed(1)} ¢`,
    ...curves.map(({ points }) => `${((points[index]?.found ?? 0) * 100).toFixed(0)} %`),
  ]);
  return [['effect', ...curves.map(({ events }) => `${events} events`)], ...rows];
}
