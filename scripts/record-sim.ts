import { numberOf } from '../src/cli/command.ts';
import { alignColumns } from '../src/cli/terminal.ts';
import { DAY_MS } from '../src/core/base/time/duration.ts';
import { mean, percentile } from './bench/figure.ts';
import { readOptions } from './command-line.ts';
import { playWorld } from './record-sim/bettor-world.ts';
import { isFew, percent, shareOf } from './record-sim/tally.ts';
import { FAIR_WORLDS, PLANTED_WORLDS, SPREAD_WORLD, type World } from './record-sim/worlds.ts';

const HELP = `Simulates worlds in which prices are fair and others in which alerts are worth something, and counts what the
record's bettor says of them. Ends with 1 when a fair world is called unfair too often.

Usage: npm run record-sim -- [--worlds N]

  --worlds N    worlds of each kind (default 4000), a tenth as many of those with an effect
  --help        this text`;

/** Bets after each of which the bettor is looked at; with an effect until it is found. */
const BETS = 200;
const BETS_MOST = 1_000;

const options = readOptions(HELP, { worlds: '4000' });
const worlds = numberOf('--worlds', options.worlds, [1, 1e6]);
if (!printFair(worlds)) process.exitCode = 1;
printPlanted(Math.ceil(worlds / 10));

function printFair(worlds: number): boolean {
  console.log(`${worlds} worlds of each kind, at most ${BETS} bets, looked at after each`);
  const rows = [...FAIR_WORLDS, SPREAD_WORLD].map((world) => {
    const runs = seeds(worlds).map((seed) => playWorld(world, seed, BETS));
    const [above, below] = (['bought', 'sold'] as const).map((side) =>
      shareOf(runs.filter((one) => one[side].reachedAt !== null).length, worlds),
    ) as [ReturnType<typeof shareOf>, ReturnType<typeof shareOf>];
    const moves = runs.flatMap(({ played }) =>
      played.flatMap(({ price, value }) => (value === null ? [] : value - price)),
    );
    const isRight = world === SPREAD_WORLD || (isFew(above) && isFew(below));
    return {
      isRight,
      cells: [world.name, percent(above), percent(below), cents(mean(moves)), verdictOf(world, isRight)],
    };
  });
  printTable(
    ['', 'above', 'below', 'mean move ¢', ''],
    rows.map(({ cells }) => cells),
  );
  return rows.every(({ isRight }) => isRight);
}

function verdictOf(world: World, isRight: boolean): string {
  if (world === SPREAD_WORLD) return 'not fair: a reader pays the spread';
  return isRight ? 'as promised' : 'TOO OFTEN';
}

function printPlanted(worlds: number): void {
  console.log(`\nWith an effect: ${worlds} worlds of each kind, at most ${BETS_MOST} bets`);
  const rows = PLANTED_WORLDS.map((world) => {
    const found = seeds(worlds).map((seed) => {
      const { played, bought } = playWorld(world, seed, BETS_MOST);
      const index = played.findIndex(({ closedAt }) => closedAt !== null && closedAt === bought.reachedAt);
      const from = played[0]?.openedAt ?? 0;
      return index < 0
        ? { bets: Number.POSITIVE_INFINITY, days: Number.POSITIVE_INFINITY }
        : { bets: index + 1, days: ((bought.reachedAt ?? 0) - from) / DAY_MS };
    });
    const of = (name: 'bets' | 'days', share: number) =>
      percentile(
        found.map((one) => one[name]),
        share,
      ).toFixed(0);
    const by = [50, 100, 150, 200, 300].map(
      (bets) => `${Math.round((100 * found.filter((one) => one.bets <= bets).length) / worlds)} %`,
    );
    return [world.name, of('bets', 0.5), of('bets', 0.9), of('days', 0.5), of('days', 0.9), ...by];
  });
  printTable(['', 'bets', '90 %', 'days', '90 %', 'by 50', '100', '150', '200', '300'], rows);
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(alignColumns([[...head], ...rows.map((row) => [...row])]).join('\n'));
}

function seeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function cents(value: number): string {
  return (value * 100).toFixed(2);
}
