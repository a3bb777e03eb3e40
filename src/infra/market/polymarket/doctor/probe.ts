import type { ProbeFinding, ProbeName, ProbeVerdict } from '../../../../core/ingest/doctor/doctor-report.ts';
import type { MarketClient } from '../client/market-client.ts';
import type { MarketClock } from '../client/market-clock.ts';
import type { HeadPage } from './head-page.ts';
import type { ProbedNode } from './probed-node.ts';
import type { RouteName } from './routes.ts';

/** The tools of probes, and what is known before they run. */
export interface Examination {
  readonly client: Pick<MarketClient, 'get'>;
  readonly clock: MarketClock;
  /** The newest page of trades; empty when the route failed. */
  readonly head: HeadPage;
  readonly failed: ReadonlySet<RouteName>;
  readonly streamUrl: string;
  readonly clobUrl: string;
  /** Null: no node is set. */
  readonly node: ProbedNode | null;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** The probe of one assumption. */
export interface Probe {
  readonly name: ProbeName;
  /** What the operator should do when it does not pass. */
  readonly action: string;
  /** When one of these routes failed, `routes` reports it and this probe is skipped. */
  readonly needs: readonly RouteName[];
  /** A rejection counts as `fail`. */
  find(examination: Examination, signal: AbortSignal): Promise<ProbeFinding>;
}

export function found(verdict: ProbeVerdict, seen: string, share: number | null = null): ProbeFinding {
  return { verdict, seen, share };
}

export function skipped(reason: string): ProbeFinding {
  return { verdict: 'skipped', seen: reason, share: null };
}

/** `1.4 s`, with its sign. */
export function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
