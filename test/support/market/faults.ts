import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { seededRandom } from '../random.ts';

/** Instead of the answer. */
const ANSWER_FAULTS = [
  ...(['408', '429', '500', '502', '503'] as const),
  ...(['reset', 'hang', 'html', 'truncated'] as const),
] as const;
/** Also instead of the answer: of a route that is not there any more, an edge that refuses the address, or one that leads elsewhere. */
type GoneFault = '403' | '404' | '410' | '451' | '302';
type RowFault = 'repeat' | 'drop-field' | 'shuffle';
/** On a stream, at each frame. `bare`: only connection_id and payload, as the real one was seen to do. */
type StreamFault = 'freeze' | 'close' | 'garble' | 'bare';
/** Of a part of the market, or of all of it, for as long as it is on. `delay` and `lag` need `byMs`. */
type StateFault = 'facts-down' | 'gamma-down' | 'delay' | 'lag' | 'rtds-silent';

/** One fault: how often, and between which moments of the clock. */
export interface Fault {
  readonly kind: (typeof ANSWER_FAULTS)[number] | GoneFault | RowFault | StreamFault | StateFault;
  /** 0 to 1, of answers or frames; of trades for `delay`. Default 1. */
  readonly rate?: number;
  readonly from?: EpochMs;
  readonly until?: EpochMs;
  /** Only where the path begins so. */
  readonly path?: string;
  /** `delay`: the longest; `lag`: how far behind; `429`, `503`: the pause that is asked for (default 2 s). */
  readonly byMs?: number;
}

export interface FaultScript {
  readonly seed: number;
  readonly faults: readonly Fault[];
}

export const OUTAGES: Readonly<Record<'trades' | 'data' | 'gamma' | 'rtds', readonly Fault[]>> = {
  trades: [{ kind: '503', path: '/v2/trades' }],
  data: [{ kind: '503', path: '/v2/' }],
  gamma: [{ kind: 'gamma-down' }],
  rtds: [{ kind: 'rtds-silent' }],
};

export const NO_FAULTS: FaultScript = { seed: 1, faults: [] };

/** Everything that can go wrong and leaves the market's own order to be read. */
export function orderlyFaults(seed: number): FaultScript {
  return {
    seed,
    faults: [
      ...ANSWER_FAULTS.map((kind) => ({ kind, rate: 0.01 })),
      { kind: 'repeat', rate: 0.2 },
      { kind: 'drop-field', rate: 0.03 },
      { kind: 'garble', rate: 0.05 },
      { kind: 'bare', rate: 0.5 },
      { kind: 'close', rate: 0.002 },
      { kind: 'freeze', rate: 0.001 },
    ],
  };
}

/** Those, and pages in no order and trades that come up to so much after their time. */
export function unrulyFaults(seed: number, delayMs: number): FaultScript {
  const { faults } = orderlyFaults(seed);
  return {
    seed,
    faults: [...faults, { kind: 'shuffle', rate: 0.5 }, { kind: 'delay', rate: 0.05, byMs: delayMs }],
  };
}

/** The faults of a script, as they strike. The same script and the same requests in the same order: the same faults. */
export interface Faults {
  readonly hasDelays: boolean;
  /** Replaced while it runs; delays of trades stay those of the start. */
  script: FaultScript;
  strikes(kind: Fault['kind'], path?: string): boolean;
  /** Whether it is due at this moment, whatever its rate. */
  isOn(kind: Fault['kind']): boolean;
  /** How long after its time this trade becomes visible; always the same. */
  delayOf(index: number): number;
  lagMs(): number;
  /** Of the `Retry-After` of a refusal. */
  waitSeconds(kind: Fault['kind']): number;
  random(): number;
  readonly struck: ReadonlyMap<Fault['kind'], number>;
}

export function createFaults(script: FaultScript, clock: Pick<Clock, 'now'>): Faults {
  const random = seededRandom(script.seed);
  const delay = script.faults.find(({ kind }) => kind === 'delay');
  const struck = new Map<Fault['kind'], number>();
  let current = script;

  function find(kind: Fault['kind'], path: string): Fault | null {
    const now = clock.now();
    const isDue = ({ from = 0, until = Number.POSITIVE_INFINITY }: Fault) => now >= from && now < until;
    const fits = (fault: Fault) => fault.kind === kind && path.startsWith(fault.path ?? '') && isDue(fault);
    return current.faults.find(fits) ?? null;
  }

  return {
    hasDelays: delay !== undefined,
    get script() {
      return current;
    },
    set script(next) {
      current = next;
    },
    strikes(kind, path = '') {
      const fault = find(kind, path);
      if (fault === null) return false;
      const { rate = 1 } = fault;
      const isStruck = rate >= 1 || random() < rate;
      if (isStruck) struck.set(kind, (struck.get(kind) ?? 0) + 1);
      return isStruck;
    },
    isOn: (kind) => find(kind, '') !== null,
    delayOf(index) {
      if (delay === undefined) return 0;
      const own = seededRandom(script.seed ^ Math.imul(index + 1, 0x9e3779b1));
      return own() < (delay.rate ?? 1) ? Math.floor(own() * (delay.byMs ?? 0)) : 0;
    },
    waitSeconds: (kind) => (current.faults.find((fault) => fault.kind === kind)?.byMs ?? 2_000) / 1_000,
    lagMs: () => find('lag', '')?.byMs ?? 0,
    random,
    struck,
  };
}
