import type { Trade } from '../trades/trade.ts';

/** 64 bits in two unsigned halves. */
export interface Hash64 {
  readonly high: number;
  readonly low: number;
}

const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);

/** How many trailing characters of an id are hashed. They suffice within one transaction, where few ids could be confused. */
const TAIL = 20;

/** What makes two rows the same fill. */
type FillIdentity = Pick<Trade, 'transaction' | 'asset' | 'wallet' | 'side' | 'shares' | 'ordinal'>;

/**
 * Hash of what makes two rows the same fill: transaction, asset, wallet, side, size and ordinal.
 * 64 bits: among 4 million remembered fills a new one is mistaken for a repeat once in 10^12.
 */
export function fillHash(trade: FillIdentity): Hash64 {
  const state = { a: 0x811c9dc5, b: 0x9e3779b9 };
  mixText(state, trade.transaction);
  mixText(state, trade.asset, TAIL);
  mixText(state, trade.wallet, TAIL);
  mixWord(state, trade.side === 'BUY' ? 1 : 2);
  number[0] = trade.shares;
  mixWord(state, words[0] as number);
  mixWord(state, words[1] as number);
  if (trade.ordinal > 1) mixWord(state, trade.ordinal);
  return finish(state);
}

/** The same as a key of maps and sets. */
export function fillKey(trade: FillIdentity): string {
  const { high, low } = fillHash(trade);
  return `${high} ${low}`;
}

/** Hash of one text. */
export function textHash(text: string): Hash64 {
  const state = { a: 0x811c9dc5, b: 0x9e3779b9 };
  mixText(state, text);
  return finish(state);
}

interface HashState {
  a: number;
  b: number;
}

/** Mixes in the length of the text and its last characters, all unless `last` is less. */
function mixText(state: HashState, text: string, last = text.length): void {
  let { a, b } = state;
  for (let i = Math.max(0, text.length - last); i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  state.a = a;
  state.b = b;
  mixWord(state, text.length);
}

function mixWord(state: HashState, word: number): void {
  state.a = Math.imul(state.a ^ word, 0x9e3779b1) ^ (state.a >>> 15);
  state.b = Math.imul(state.b ^ word, 0xc2b2ae35) ^ (state.b >>> 16);
}

function finish({ a, b }: HashState): Hash64 {
  const high = Math.imul(a ^ (b >>> 16), 0x85ebca6b);
  const low = Math.imul(b ^ (a >>> 13), 0xc2b2ae35);
  return { high: (high ^ (high >>> 13)) >>> 0, low: (low ^ (low >>> 16)) >>> 0 };
}
