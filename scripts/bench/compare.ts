import { alternate } from './alternate.ts';
import { median, medianOver, whole } from './figure.ts';
import { type LoadOptions, load, type Round, type Side } from './load.ts';

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
  readonly effort: Effort;
  readonly service: Standing;
  readonly rivals: readonly Rival[];
}

/** All sides run under load alternately, in another order each round. */
export async function compare(service: Side, rivals: readonly Side[], effort: Effort): Promise<Comparison> {
  const sides = [service, ...rivals];
  for (const side of sides) await load(side, effort.warmUpSeconds, effort);
  const [own = [], ...theirs] = await alternate(sides, {
    rounds: effort.rounds,
    run: (side) => load(side, effort.roundSeconds, effort),
    describe: (rounds) => `${rounds.map(({ perSecond }) => whole(perSecond)).join(' : ')} requests/s`,
  });
  return {
    effort,
    service: standing(service, own),
    rivals: rivals.map((rival, index) => toRival(rival, own, theirs[index] ?? [])),
  };
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
  return {
    ...standing(rival, theirs),
    ratio: medianOver(ours, theirs, (our, their) => our.perSecond / their.perSecond),
    cpuRatio: medianOver(ours, theirs, (our, their) => their.cpuMicroseconds / our.cpuMicroseconds),
  };
}
