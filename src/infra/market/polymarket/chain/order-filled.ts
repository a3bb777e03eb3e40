import { decodeEventLog, parseAbi } from 'viem/utils';
import { z } from 'zod';
import type { DropReason } from '../../../../core/trades/source/source.ts';
import type { Side, TradeRole } from '../../../../core/trades/trade.ts';
import type { MarketUrls } from '../client/market-client.ts';

/**
 * The exchanges of Polymarket on Polygon: CTF Exchange V2, its Neg Risk twin, and the Exchange of Protocol V2 (repository
 * Polymarket/polymarket-v2-external). All three emit the same event. Logs are filtered by address, because any contract can
 * emit an event of this signature.
 */
const EXCHANGE_OF_PROTOCOL_V2 = '0xe3333700ca9d93003f00f0f71f8515005f6c00aa';
export const EXCHANGES: readonly string[] = [
  '0xe111180000d2663c0091e4f400237545b87b996b',
  '0xe2222d279d744050d28e00520010520000310f59',
  EXCHANGE_OF_PROTOCOL_V2,
];

export function exchangesOf({ extraExchanges }: Pick<MarketUrls, 'extraExchanges'>): readonly string[] {
  return [...new Set([...EXCHANGES, ...extraExchanges])];
}

export const ORDER_FILLED = '0xd543adfd945773f1a62f74f0ee55a5e3b9b1a28262980ba90b1a89f2ea84d8ee';
const ABI = parseAbi([
  'event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint8 side, uint256 tokenId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee, bytes32 builder, bytes32 metadata)',
]);
/** Collateral and shares have the same unit. */
export const UNIT = 1e6;
/** The top 8 bits of a position in several markets (a combo) on the Exchange of Protocol V2. */
const COMBINATORIAL_MODULE = 3n;

export const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/i)
  .transform(Number);
const hexText = z.string().regex(/^0x[0-9a-f]*$/i);
export const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .toLowerCase();

/** One log of `eth_getLogs`. `blockTimestamp` is not sent by every node. */
export const logSchema = z.object({
  address: hexText.toLowerCase(),
  topics: z.array(hash),
  data: hexText,
  blockNumber: quantity,
  blockHash: hash,
  blockTimestamp: quantity.nullish(),
  transactionHash: hash,
  logIndex: quantity,
});
export type ChainLog = z.infer<typeof logSchema>;

/** The part of one order that one match filled. Amounts are exact, in millionths. */
export interface ChainFill {
  /** The same in every block that contains the transaction. */
  readonly key: string;
  readonly transaction: string;
  readonly wallet: string;
  readonly side: Side;
  readonly tokenId: string;
  readonly shares: bigint;
  readonly usdc: bigint;
  readonly role: TradeRole;
  readonly ordinal: number;
}

/** More than the market can ever issue, in millionths. */
const MOST_SHARES = 10n ** 18n;

/** The fills of whole transactions in log order; equal ones are numbered by ascending price. */
export function fillsOf(
  logs: readonly ChainLog[],
  onDrop: (reason: DropReason) => void,
): readonly ChainFill[] {
  const sorted = logs.toSorted((a, b) => a.logIndex - b.logIndex);
  const fills = sorted.map((log) => tradeIn(log, onDrop)).filter((fill) => fill !== null);
  const equals = Map.groupBy(fills, equalityOf);
  for (const group of equals.values()) group.sort((a, b) => Number(a.usdc - b.usdc));
  return fills.map((fill) => {
    const equality = equalityOf(fill);
    const ordinal = (equals.get(equality) as DecodedFill[]).indexOf(fill) + 1;
    return { ...fill, ordinal, key: `${equality} ${ordinal}` };
  });
}

/** Whether the id is that of a combo. One of 256 ids of older tokens looks like one, by chance. */
export function isCombo(tokenId: bigint): boolean {
  return tokenId >> 248n === COMBINATORIAL_MODULE;
}

type DecodedFill = Omit<ChainFill, 'key' | 'ordinal'>;

const equalityOf = ({ transaction, wallet, tokenId, side, shares }: DecodedFill): string =>
  `${transaction} ${wallet} ${tokenId} ${side} ${shares}`;

function tradeIn(log: ChainLog, onDrop: (reason: DropReason) => void): DecodedFill | null {
  const args = argumentsOf(log);
  if (args === null) {
    onDrop('wrong_type');
    return null;
  }
  if (!isOfCombo(log, args)) return fillIn(log, args, onDrop);
  onDrop('combo');
  return null;
}

type LogArguments = NonNullable<ReturnType<typeof argumentsOf>>;

function isOfCombo({ address }: ChainLog, { tokenId }: LogArguments): boolean {
  return address === EXCHANGE_OF_PROTOCOL_V2 && isCombo(tokenId);
}

function fillIn(log: ChainLog, args: LogArguments, onDrop: (reason: DropReason) => void): DecodedFill | null {
  // A buyer's order gives collateral for shares, a seller's shares for collateral.
  const isBuy = args.side === 0;
  const shares = isBuy ? args.takerAmountFilled : args.makerAmountFilled;
  const usdc = isBuy ? args.makerAmountFilled : args.takerAmountFilled;
  if (shares === 0n || usdc === 0n || shares > MOST_SHARES) onDrop('bad_size');
  else if (usdc > shares) onDrop('bad_price');
  else
    return {
      transaction: log.transactionHash,
      wallet: args.maker.toLowerCase(),
      side: isBuy ? 'BUY' : 'SELL',
      tokenId: String(args.tokenId),
      shares,
      usdc,
      // The order that crossed the spread is matched with the exchange itself.
      role: args.taker.toLowerCase() === log.address ? 'taker' : 'maker',
    };
  return null;
}

/** USDC of the orders that took liquidity: on the exchanges without combos, in combos, and at other contracts. */
export interface LogVolume {
  readonly watched: number;
  readonly combos: number;
  readonly elsewhere: number;
}

/** The volume in the logs of whole transactions. What can be no trade is left out. */
export function volumeIn(logs: readonly ChainLog[], exchanges: readonly string[]): LogVolume {
  const fills = logs.flatMap((log) => {
    const args = argumentsOf(log);
    const fill = args && fillIn(log, args, () => {});
    return fill ? [{ ...fill, address: log.address, isCombo: isOfCombo(log, args) }] : [];
  });
  const matches = Map.groupBy(fills, (fill) => `${fill.transaction} ${fill.address} ${fill.isCombo}`);
  const volume = { watched: 0, combos: 0, elsewhere: 0 };
  for (const match of matches.values()) {
    const { address = '', isCombo: isOfCombos } = match[0] ?? {};
    const usdc = takenUsdc(match);
    if (!exchanges.includes(address)) volume.elsewhere += usdc;
    else if (isOfCombos) volume.combos += usdc;
    else volume.watched += usdc;
  }
  return volume;
}

/** A match has one fill of the order that took, and one of each that was taken; their sum would count it twice. */
function takenUsdc(match: readonly DecodedFill[]): number {
  const takers = match.filter(({ role }) => role === 'taker');
  const counted = takers.length > 0 ? takers : match;
  return counted.reduce((sum, { usdc }) => sum + Number(usdc) / UNIT, 0);
}

function argumentsOf({ topics, data }: ChainLog) {
  try {
    return decodeEventLog({
      abi: ABI,
      topics: topics as [`0x${string}`, ...`0x${string}`[]],
      data: data as `0x${string}`,
    }).args;
  } catch {
    // viem throws for a log that is none of this event: `fillsOf` counts it as dropped.
    return null;
  }
}
