import { z } from 'zod';
import type { EpochMs } from '../../../../core/base/time/duration.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import { type ChainFill, hash, quantity } from './order-filled.ts';

/** A bloom that is missing or has another length allows everything. */
const bloom = z
  .string()
  .regex(/^0x[0-9a-f]{512}$/i)
  .catch(`0x${'f'.repeat(512)}`);

export const headerSchema = z
  .object({ number: quantity, hash, parentHash: hash, timestamp: quantity, logsBloom: bloom })
  .transform(({ timestamp, ...header }) => ({ ...header, at: timestamp * 1_000 }));
export type ChainHeader = z.infer<typeof headerSchema>;

export interface Block<Fill> {
  readonly number: number;
  readonly hash: string;
  readonly at: EpochMs;
  readonly fills: readonly Fill[];
}

export type ReadBlock = Block<ChainFill>;

/** A fill in its block. `row` is null while its token is unknown, and set once the fill was passed on. */
export interface BlockFill {
  readonly fill: ChainFill;
  readonly at: EpochMs;
  row: LiveRow | null;
}
