import { encodeAbiParameters, keccak256, pad, parseAbiParameters } from 'viem/utils';
import { EXCHANGES, ORDER_FILLED } from '../../../src/infra/market/polymarket/chain/order-filled.ts';
import type { Block } from './chain-blocks.ts';
import type { TapeTrade } from './market-tape.ts';
import type { MarketView } from './market-view.ts';

const DATA = parseAbiParameters('uint8, uint256, uint256, uint256, uint256, bytes32, bytes32');
const UNIT = 1e6;
const NO_BYTES: Hex = `0x${'0'.repeat(64)}`;

type Hex = `0x${string}`;

/** A log as JSON-RPC has it: what of it is read. */
export interface StandInLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly blockTimestamp: string;
  readonly transactionHash: string;
  readonly logIndex: string;
}

/** Makes the logs of the exchanges in a block: one for each of its trades. */
export function createChainLogs({ tape, roleOf }: MarketView): (block: Block) => readonly StandInLog[] {
  /** Every second market is of the Neg Risk kind, which has an exchange of its own. */
  function exchangeOf({ conditionId }: TapeTrade): string {
    return EXCHANGES[Number.parseInt(conditionId.slice(-1), 16) % 2] as string;
  }

  const made = new WeakMap<Block, readonly StandInLog[]>();
  return (block) => {
    const known = made.get(block) ?? make(block);
    made.set(block, known);
    return known;
  };

  function make(block: Block): readonly StandInLog[] {
    const takers = new Map<string, string>();
    for (const index of block.trades) {
      const { transactionHash, proxyWallet } = tape.trade(index);
      if (roleOf(index) === 'taker') takers.set(transactionHash, proxyWallet);
    }
    return block.trades.map((index, logIndex) => {
      const trade = tape.trade(index);
      const address = exchangeOf(trade);
      const taker = roleOf(index) === 'taker' ? address : (takers.get(trade.transactionHash) ?? '0x0');
      return {
        address,
        topics: [ORDER_FILLED, pad(hex(index + 1)), pad(trade.proxyWallet as Hex), pad(taker as Hex)],
        data: dataOf(trade),
        blockNumber: hex(block.number),
        blockHash: block.hash,
        blockTimestamp: hex(block.time),
        transactionHash: trade.transactionHash,
        logIndex: hex(logIndex),
      };
    });
  }
}

/** The bloom of a block's header: 2,048 bits, of which each address and event sets three. Other topics are left out. */
export function bloomOf(logs: readonly StandInLog[]): string {
  let bloom = 0n;
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address, ...topics.slice(0, 1)])))
    bloom |= bitsOf(value);
  return `0x${bloom.toString(16).padStart(512, '0')}`;
}

const bits = new Map<string, bigint>();

function bitsOf(value: string): bigint {
  const known = bits.get(value);
  if (known !== undefined) return known;
  const pairs =
    keccak256(value as Hex)
      .slice(2, 14)
      .match(/.{4}/g) ?? [];
  const made = pairs.reduce((sum, pair) => sum | (1n << BigInt(Number.parseInt(pair, 16) % 2_048)), 0n);
  bits.set(value, made);
  return made;
}

export const hex = (number: number): Hex => `0x${number.toString(16)}`;

function dataOf({ side, asset, size, price }: TapeTrade): Hex {
  const shares = BigInt(Math.round(size * UNIT));
  const usdc = BigInt(Math.round(size * price * UNIT));
  const [maker, taker] = side === 'BUY' ? [usdc, shares] : [shares, usdc];
  return encodeAbiParameters(DATA, [
    side === 'BUY' ? 0 : 1,
    BigInt(asset),
    maker,
    taker,
    0n,
    NO_BYTES,
    NO_BYTES,
  ]);
}
