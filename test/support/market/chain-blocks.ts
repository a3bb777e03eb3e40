import { createHash } from 'node:crypto';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { MarketView } from './market-view.ts';

const EMPTY_BLOCKS = 100;
/** Blocks of Polygon come each 1.5 to 2 s; here at each second with a trade, and each 2 s without. */
const LONGEST_GAP_S = 2;
/** From the block's time until a public node shows it, as measured in September 2026. */
const SHOWN_AFTER_MS = 2_200;

export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Epoch seconds. */
  readonly time: number;
  readonly trades: readonly number[];
}

export interface Reorganisation {
  readonly depth: number;
  /** Trades that no block holds any more. */
  readonly lose?: (index: number) => boolean;
  /** Trades that come again in the next block that is made. */
  readonly postpone?: (index: number) => boolean;
}

/** The chain that a tape's trades make, as far as the clock has come. */
export type ChainBlocks = ReturnType<typeof createChainBlocks>;

export function createChainBlocks(view: MarketView, clock: Pick<Clock, 'now'>) {
  const { tape } = view;
  const blocks: Block[] = [];
  const hashes = new Map<string, Block>();
  let placed = 0;
  let branch = 0;
  let postponed: readonly number[] = [];

  function add(time: number, trades: readonly number[]): Block {
    const parentHash = blocks.at(-1)?.hash ?? `0x${'0'.repeat(64)}`;
    const number = blocks.length;
    const seed = `${parentHash} ${number} ${branch}`;
    const hash = `0x${createHash('sha256').update(seed).digest('hex')}`;
    const block = { number, hash, parentHash, time, trades };
    blocks.push(block);
    hashes.set(hash, block);
    return block;
  }

  function dueTime(): number | null {
    const last = (blocks.at(-1) as Block).time;
    const trade = placed < tape.count ? tape.timeOf(placed) : Number.POSITIVE_INFINITY;
    const time = Math.min(Math.max(trade, last + 1), last + LONGEST_GAP_S);
    const isShown = time * 1_000 + SHOWN_AFTER_MS <= clock.now() && time * 1_000 <= view.now();
    return isShown ? time : null;
  }

  function grow(): readonly Block[] {
    const made: Block[] = [];
    for (let time = dueTime(); time !== null; time = dueTime()) {
      const first = placed;
      while (placed < tape.count && tape.timeOf(placed) <= time) placed += 1;
      const fresh = Array.from({ length: placed - first }, (_, n) => first + n);
      made.push(add(time, [...postponed, ...fresh]));
      postponed = [];
    }
    return made;
  }

  const start = tape.timeOf(0) - EMPTY_BLOCKS * LONGEST_GAP_S;
  for (let count = 0; count < EMPTY_BLOCKS; count++) add(start + count * LONGEST_GAP_S, []);
  grow();

  return {
    blocks: blocks as readonly Block[],
    get head() {
      return blocks.at(-1) as Block;
    },
    byHash: (hash: string) => hashes.get(hash) ?? null,
    /** Makes the blocks that are due; gives those that are new. */
    grow,
    /** Replaces the last blocks by others of the same times; gives the new ones. */
    reorganise({ depth, lose = () => false, postpone = () => false }: Reorganisation) {
      branch += 1;
      const old = blocks.splice(blocks.length - depth);
      postponed = [...postponed, ...old.flatMap(({ trades }) => trades.filter(postpone))];
      const stays = (index: number) => !lose(index) && !postpone(index);
      return old.map(({ time, trades }) => add(time, trades.filter(stays)));
    },
  };
}
