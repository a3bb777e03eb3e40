import type { Comparison, Standing } from './compare.ts';
import { atLeast, type Figure, figure, ms, whole } from './figure.ts';

/**
 * A comparison in several rows. `prefix`: of the rows of a section with several comparisons; `aim`: the least share of
 * bare Fastify's requests a second.
 */
export function comparisonFigures(
  { effort, service, rivals: [bare, ...peers] }: Comparison,
  { prefix = '', aim }: { readonly prefix?: string; readonly aim?: number } = {},
): readonly Figure[] {
  if (bare === undefined) throw new Error('there is nothing to compare with');
  const { rounds, connections } = effort;
  return [
    figure(
      `${prefix}requests a second, as a share of bare Fastify’s (median of ${rounds} alternating rounds)`,
      bare.ratio.toFixed(3),
      aim === undefined ? undefined : atLeast(bare.ratio, aim),
    ),
    figure(
      `${prefix}the same by processor time a request, which no load generator can hold back`,
      bare.cpuRatio.toFixed(3),
    ),
    figure(`${prefix}${service.name}, ${connections} connections`, standingText(service)),
    figure(prefix + bare.name, standingText(bare)),
    ...peers.flatMap((peer) => [
      figure(prefix + peer.name, standingText(peer)),
      figure(
        `${prefix}requests a second, as a multiple of that`,
        `${multiple(peer.ratio)} ×, by processor time ${multiple(peer.cpuRatio)} ×`,
      ),
    ]),
  ];
}

/** A comparison in one row. */
export function comparisonRow(what: string, { service, rivals: [bare, peer] }: Comparison): Figure {
  if (bare === undefined) throw new Error('there is nothing to compare with');
  const ours = `${whole(service.perSecond)} requests/s (p50 ${ms(service.p50Ms)}, p99 ${ms(service.p99Ms)})`;
  const toBare = `${bare.ratio.toFixed(3)} of bare Fastify’s ${whole(bare.perSecond)}`;
  const toPeer = peer === undefined ? '' : `, ${multiple(peer.ratio)} × FastAPI’s ${few(peer.perSecond)}`;
  return figure(what, `${ours}: ${toBare}${toPeer}`);
}

function standingText({ perSecond, cpuMicroseconds, p50Ms, p99Ms }: Standing): string {
  const cpu = cpuMicroseconds < 1_000 ? cpuMicroseconds.toFixed(1) : whole(cpuMicroseconds);
  return `${few(perSecond)} requests/s, ${cpu} µs of processor each, p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`;
}

function multiple(ratio: number): string {
  return ratio < 10 ? ratio.toFixed(2) : whole(ratio);
}

function few(perSecond: number): string {
  return perSecond < 100 ? perSecond.toFixed(1) : whole(perSecond);
}
