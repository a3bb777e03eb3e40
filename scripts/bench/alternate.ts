import { progress } from './figure.ts';

interface Rounds<Side, Result> {
  readonly rounds: number;
  run(side: Side): Promise<Result>;
  describe(results: readonly Result[]): string;
}

/** Measures sides in rounds, in another order each round. Returns the results of each side. */
export async function alternate<Side, Result>(
  sides: readonly Side[],
  { rounds, run, describe }: Rounds<Side, Result>,
): Promise<readonly (readonly Result[])[]> {
  const results = sides.map((side) => ({ side, of: [] as Result[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { side, of } of inTurn(results, round)) of.push(await run(side));
    progress(`round ${round + 1}: ${describe(results.flatMap(({ of }) => of.slice(-1)))}`);
  }
  return results.map(({ of }) => of);
}

function inTurn<Side>(sides: readonly Side[], round: number): readonly Side[] {
  const start = round % sides.length;
  const turned = [...sides.slice(start), ...sides.slice(0, start)];
  return Math.floor(round / sides.length) % 2 === 0 ? turned : turned.toReversed();
}
