import type { ClockReading } from '../../../test/support/market/tape-clock.ts';

/** What the bench says to the service: how its clock stands, or that it is to measure itself. */
export type Order = { readonly clock: ClockReading } | 'measure';

/** What stays in the service's process after a forced collection. */
export interface Measured {
  readonly heap: number;
  readonly buffers: number;
  readonly resident: number;
  /** Microseconds since its start. */
  readonly processor: number;
  /** What keeps the loop going, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** Objects on the heap, by class. */
  readonly objects: Readonly<Record<string, number>>;
}
