import { keccak256 } from 'viem/utils';
import { ORDER_FILLED } from './order-filled.ts';

/** Whether the bloom of a block's header allows order fills of these exchanges. It may be wrong then; otherwise there is none. */
export function mayHaveFills(bloom: string, exchanges: readonly string[]): boolean {
  return isInBloom(bloom, ORDER_FILLED) && exchanges.some((address) => isInBloom(bloom, address));
}

/** Whether a bloom of 2,048 bits allows an address or a topic. A value sets three bits (Yellow Paper, section 4.3.1). */
export function isInBloom(bloom: string, value: string): boolean {
  const hash = keccak256(value as `0x${string}`, 'bytes');
  return [0, 2, 4].every((at) => {
    const bit = (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 0x7ff;
    const digit = Number.parseInt(bloom.at(-1 - Math.floor(bit / 4)) as string, 16);
    return (digit & (1 << (bit % 4))) !== 0;
  });
}
