import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { Fault, FaultScript } from '../../../test/support/market/faults.ts';

const MINUTE_MS = 60_000;

/** When the market is not to be seen. */
export interface Outages {
  readonly facts: { readonly from: EpochMs; readonly until: EpochMs };
  readonly rest: { readonly from: EpochMs; readonly until: EpochMs };
}

/** Facts are down for ten minutes and REST says nothing for two, once each. */
export function outagesIn(from: EpochMs, until: EpochMs): Outages {
  const at = (part: number) => Math.round(from + (until - from) * part);
  return {
    facts: { from: at(0.4), until: at(0.4) + 10 * MINUTE_MS },
    rest: { from: at(0.7), until: at(0.7) + 2 * MINUTE_MS },
  };
}

/** Those, and a little of everything all the time. */
export function soakFaults({ facts, rest }: Outages): FaultScript {
  const often: readonly Fault[] = [
    ...(['429', '500', '503', 'reset', 'truncated'] as const).map((kind) => ({ kind, rate: 0.002 })),
    ...(['408', '502', 'html', 'hang'] as const).map((kind) => ({ kind, rate: 0.0005 })),
    { kind: 'repeat', rate: 0.02 },
    { kind: 'drop-field', rate: 0.002 },
    { kind: 'garble', rate: 0.01 },
    { kind: 'bare', rate: 0.5 },
    { kind: 'close', rate: 0.0003 },
    { kind: 'freeze', rate: 0.0001 },
  ];
  return { seed: 1, faults: [{ kind: 'facts-down', ...facts }, { kind: 'hang', ...rest }, ...often] };
}
