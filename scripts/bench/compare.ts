import { median, whole } from './figure.ts';
import { type LoadOptions, load, type Round, type Side } from './load.ts';
import { progress } from './progress.ts';

export interface Effort extends LoadOptions {
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly roundSeconds: number;
}

/** The medians of a side's rounds. */
export interface Standing extends Round {
  readonly name: string;
}

export interface Rival extends Standing {
  /** Requests a second of the service as a multiple of this side's; median of the rounds. */
  readonly ratio: number;
  /** Processor time per request of this side as a multiple of the service's. */
  readonly cpuRatio: number;
}

export interface Comparison {
  readonly service: Standing;
  readonly rivals: readonly Rival[];
}

/** All sides run under load alternately, in another order each round. */
export async function compare(service: Side, rivals: readonly Side[], effort: Effort): Promise<Comparison> {
  const sides = [service, ...rivals];
  for (const side of sides) await load(side, effort.warmUpSeconds, effort);
  const rounds = new Map<Side, Round[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < effort.rounds; round++) {
    for (const side of inTurn(sides, round))
      rounds.get(side)?.push(await load(side, effort.roundSeconds, effort));
    const speeds = sides.map((side) => whole(rounds.get(side)?.at(-1)?.perSecond ?? Number.NaN));
    progress(`round ${round + 1}: ${speeds.join(' : ')} requests/s`);
  }
  const of = (side: Side) => rounds.get(side) ?? [];
  return {
    service: standing(service, of(service)),
    rivals: rivals.map((rival) => toRival(rival, of(service), of(rival))),
  };
}

/** No side is always first, or always after the same side. */
function inTurn(sides: readonly Side[], round: number): readonly Side[] {
  const start = round % sides.length;
  const turned = [...sides.slice(start), ...sides.slice(0, start)];
  return Math.floor(round / sides.length) % 2 === 0 ? turned : turned.toReversed();
}

function standing({ name }: Side, rounds: readonly Round[]): Standing {
  const of = (what: keyof Round) => median(rounds.map((round) => round[what]));
  return {
    name,
    perSecond: of('perSecond'),
    cpuMicroseconds: of('cpuMicroseconds'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
  };
}

function toRival(rival: Side, ours: readonly Round[], theirs: readonly Round[]): Rival {
  const ratios = (of: (our: Round, their: Round) => number) =>
    median(ours.flatMap((our, index) => (theirs[index] === undefined ? [] : [of(our, theirs[index])])));
  return {
    ...standing(rival, theirs),
    ratio: ratios((our, their) => our.perSecond / their.perSecond),
    cpuRatio: ratios((our, their) => their.cpuMicroseconds / our.cpuMicroseconds),
  };
}
