import { median, progress } from './figure.ts';

/** Measures two sides in rounds, so that both have what the machine does besides. Each round begins with the other side. */
export async function alternate<Side, Result>(
  [one, other]: readonly [Side, Side],
  rounds: number,
  run: (side: Side) => Promise<Result>,
): Promise<{ readonly ones: readonly Result[]; readonly others: readonly Result[] }> {
  const ones: Result[] = [];
  const others: Result[] = [];
  for (let round = 1; round <= rounds; round++) {
    if (round % 2 === 1) ones.push(await run(one));
    others.push(await run(other));
    if (round % 2 === 0) ones.push(await run(one));
    progress(`round ${round} of ${rounds}`);
  }
  return { ones, others };
}

/** The median over the rounds of what compares the two sides in each. */
export function medianOver<Result>(
  { ones, others }: { readonly ones: readonly Result[]; readonly others: readonly Result[] },
  compared: (one: Result, other: Result) => number,
): number {
  return median(ones.map((one, round) => compared(one, others[round] as Result)));
}
