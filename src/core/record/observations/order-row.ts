import type { EpochMs } from '../../base/time/duration.ts';
import { SECOND_MS } from '../../base/time/duration.ts';
import { CLASSIFIED_USDC_MIN, MICROS } from '../../detection/order.ts';
import type { TradeRole } from '../../trades/trade.ts';
import { type LargeBuy, MAKER, type OrderSegment, OTHER, SELL, TAKER } from './order-segment.ts';

/** Characters at the end of an address that its hash is made of. */
const HASHED = 12;

/** Buys of at least this amount are stored with their wallet, in millionths of a USDC. */
export const LARGE_BUY = CLASSIFIED_USDC_MIN * MICROS;

/** A remembered order. */
export interface OrderRow {
  readonly at: EpochMs;
  /** In the market's other outcome. */
  readonly isOther: boolean;
  readonly isSale: boolean;
  /** Null when it is unknown, or not the same in all fills. */
  readonly role: TradeRole | null;
  /** In millionths; 0 shares when all of it was removed. */
  readonly usdc: number;
  readonly shares: number;
  /** Who made it; null for sales, and for buys that never were of 250 USDC. */
  readonly largeBuy: LargeBuy | null;
}

/** A row of a segment, for reading many of its columns. */
export function orderRow(segment: OrderSegment, offset: number): OrderRow {
  const flags = segment.flags[offset] as number;
  return {
    at: (segment.seconds[offset] as number) * SECOND_MS,
    isOther: (flags & OTHER) !== 0,
    isSale: (flags & SELL) !== 0,
    role: roleOf(flags),
    usdc: segment.usdc[offset] as number,
    shares: segment.shares[offset] as number,
    largeBuy: segment.largeBuys.get(offset) ?? null,
  };
}

/** The flag of a role; 0 when it is unknown. */
export function roleFlag(role: TradeRole | null): number {
  if (role === null) return 0;
  return role === 'taker' ? TAKER : MAKER;
}

function roleOf(flags: number): TradeRole | null {
  if ((flags & TAKER) !== 0) return 'taker';
  return (flags & MAKER) === 0 ? null : 'maker';
}

/** 32 bits of an address; of one market and second two wallets hardly ever share them. */
export function walletHash(wallet: string): number {
  let hash = 0x811c9dc5;
  for (let i = Math.max(0, wallet.length - HASHED); i < wallet.length; i++)
    hash = Math.imul(hash ^ wallet.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
