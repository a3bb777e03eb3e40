import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import { isPastFreshness } from '../../../src/core/detection/freshness.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { Holdings, newWallet, type Wallet } from '../../../src/core/detection/wallet.ts';
import { START } from '../../support/rows.ts';

const { maxAgeDays, maxMarkets } = DEFAULT_RULES.fresh;
/** The age at which not even the latest of late trades finds the wallet young enough. */
const PAST_MS = (maxAgeDays + 1) * DAY_MS;

function walletOf(marketAges: readonly number[], facts: Partial<Wallet> = {}): Wallet {
  const wallet = Object.assign(newWallet('0xw', START - Math.max(0, ...marketAges)), facts);
  const holdings = new Holdings();
  for (const [index, age] of marketAges.entries()) holdings.holdingOf(wallet, `0xm${index}`, START - age);
  return wallet;
}

const ages = (count: number, age: number) => Array<number>(count).fill(age);

describe('no trade to come, as late as a day, can find a wallet fresh', () => {
  test.each<[string, Wallet, boolean]>([
    ['seen 15 days ago', walletOf([PAST_MS]), false],
    ['seen longer ago', walletOf([PAST_MS + 1]), true],
    ['created 15 days ago', walletOf([0], { createdAt: START - PAST_MS }), false],
    ['created longer ago', walletOf([0], { createdAt: START - PAST_MS - 1 }), true],
    ['created later than it was seen', walletOf([PAST_MS + 1], { createdAt: START }), true],
    ['with 5 markets in its facts', walletOf([0], { marketsInFacts: maxMarkets }), false],
    ['with 6 markets in its facts', walletOf([0], { marketsInFacts: maxMarkets + 1 }), true],
    ['in 5 markets since a day', walletOf(ages(maxMarkets, DAY_MS)), false],
    ['in 6 markets since a day', walletOf(ages(maxMarkets + 1, DAY_MS)), true],
    ['in 5 since a day and one since less', walletOf([...ages(maxMarkets, DAY_MS), DAY_MS - 1]), false],
    ['in 20 markets since now', walletOf(ages(4 * maxMarkets, 0)), false],
    ['in 21 markets since now', walletOf(ages(4 * maxMarkets + 1, 0)), true],
  ])('%s', (_, wallet, isPast) => {
    expect(isPastFreshness(wallet, START, DEFAULT_RULES)).toBe(isPast);
  });
});
