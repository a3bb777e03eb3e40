import { expect, test } from 'vitest';
import { isInBloom, mayHaveFills } from '../../../../../src/infra/market/polymarket/chain/block-reader.ts';
import { EXCHANGES, ORDER_FILLED } from '../../../../../src/infra/market/polymarket/chain/order-filled.ts';
import { bloomOf, type StandInLog } from '../../../../support/market/chain-logs.ts';

/** The example of `Bloom.contains` in the documentation of ox: places and values of the digits that are not 0. */
const EXAMPLE = [
  [40, '1'],
  [199, '2'],
  [201, '2'],
  [247, '8'],
  [256, '1'],
  [310, '1'],
] as const;
const HOLDER = '0xef2d6d194084c2de36e0dabfce45d046b37d1106';

function bloomFrom(digits: readonly (readonly [number, string])[]): string {
  const text = new Array<string>(512).fill('0');
  for (const [place, digit] of digits) text[place] = digit;
  return `0x${text.join('')}`;
}

const logOf = (address: string, topic: string) => ({ address, topics: [topic] }) as unknown as StandInLog;
const [exchange = '', other = ''] = EXCHANGES;
const transfer = `0x${'1'.repeat(64)}`;

test('an address is found in a bloom that others made, and not in one that lacks one of its bits', () => {
  expect(isInBloom(bloomFrom(EXAMPLE), HOLDER)).toBe(true);
  expect(isInBloom(bloomFrom(EXAMPLE), exchange)).toBe(false);
  const lacking = EXAMPLE.map((_, left) => bloomFrom(EXAMPLE.filter((_, place) => place !== left)));
  expect(lacking.filter((bloom) => !isInBloom(bloom, HOLDER))).toHaveLength(3);
});

test('a bloom allows fills only with the event and one of the exchanges', () => {
  expect(mayHaveFills(bloomOf([logOf(exchange, ORDER_FILLED)]), EXCHANGES)).toBe(true);
  expect(mayHaveFills(bloomOf([logOf(exchange, transfer)]), EXCHANGES)).toBe(false);
  expect(mayHaveFills(bloomOf([logOf(HOLDER, ORDER_FILLED)]), EXCHANGES)).toBe(false);
  expect(mayHaveFills(bloomOf([logOf(exchange, ORDER_FILLED)]), [other])).toBe(false);
  expect(mayHaveFills(bloomOf([]), EXCHANGES)).toBe(false);
});
