import { expect, test } from 'vitest';
import type { Trade } from '../../../../../src/core/trades/trade.ts';
import type { ChainFill } from '../../../../../src/infra/market/polymarket/chain/order-filled.ts';
import { NodeCompleteness } from '../../../../../src/infra/market/polymarket/merge/node-certificate.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';

const START = Date.UTC(2026, 9, 5);

const fillNo = (no: number): ChainFill => ({
  ...{ key: `${no}`, transaction: `0x${no}`, wallet: '0x1', side: 'BUY', tokenId: '77', role: 'taker' },
  ...{ shares: 10_500_000n, usdc: 5_000_000n, ordinal: 1 },
});
const rowNo = (no: number, at: number, asset = '77') =>
  ({ transaction: `0x${no}`, wallet: '0x1', side: 'BUY', asset, shares: 10.5, ordinal: 1, at }) as Trade;

/** Blocks of ten fills each two seconds, which another source shows 2 s before the node, a second early. */
function watched() {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const node = new NodeCompleteness(clock, logger);
  node.start(START);
  let made = 0;
  async function blocks(count: number, omits: (no: number) => boolean = () => false, isShown = () => true) {
    for (let block = 0; block < count; block++) {
      await clock.advance(2_000);
      const numbers = Array.from({ length: 10 }, () => made++);
      for (const no of numbers) if (isShown()) node.othersShowed(rowNo(no, clock.now() - 1_000));
      node.nodeShowed(clock.now(), numbers.filter((no) => !omits(no)).map(fillNo));
      node.update();
    }
  }
  return { clock, logger, node, blocks };
}

test('a node that lacks more than 2 % and at least 5 rows of a minute is incomplete three blocks later', async () => {
  const { node, blocks, logger, clock } = watched();
  await blocks(30);
  const from = clock.now();
  await blocks(2, (no) => no % 2 === 0);
  expect(node.isComplete).toBe(true);
  await blocks(3, () => false);
  expect(node.isComplete).toBe(false);
  expect(node.missingFrom).toBe(from + 1_000);
  expect(logger.lines.map(({ fields }) => fields)).toEqual([{ missing: 10, of: 300 }]);
});

test.each([
  ['4 rows of a minute, however many they are of all', 1, 4],
  ['2 % of the rows of a minute', 50, 6],
])('a node that lacks %s is complete', async (_, perMinute, lacking) => {
  const { node, clock } = watched();
  for (let no = 0; no < 6 * perMinute + lacking; no++) {
    node.othersShowed(rowNo(no, START + 2_000));
    if (no >= lacking) node.nodeShowed(START + 2_000, [fillNo(no)]);
  }
  for (const ms of [4_000, 6_000, 8_000]) node.nodeShowed(START + ms, []);
  await clock.advance(1_000);
  node.update();
  expect(node.isComplete).toBe(true);
});

test('it is complete again after a minute in which it agreed, and not because nothing is shown', async () => {
  const { node, blocks } = watched();
  await blocks(30);
  await blocks(10, (no) => no % 2 === 0);
  expect(node.isComplete).toBe(false);
  await blocks(60, undefined, () => false);
  expect(node.isComplete).toBe(false);
  await blocks(3, (no) => no % 2 === 0);
  await blocks(30);
  expect(node.isComplete).toBe(false);
  await blocks(5);
  expect(node.isComplete).toBe(true);
});

test('rows that the node shows first or later agree, once each; those from before its first block and combos are not compared', async () => {
  const { node, clock, logger } = watched();
  for (let no = 0; no < 20; no++) node.othersShowed(rowNo(no, START - no));
  const combo = String((3n << 248n) + 5n);
  for (let no = 20; no < 40; no++) node.othersShowed(rowNo(no, START + 5_000, combo));
  node.nodeShowed(START + 5_000, [fillNo(50)]);
  for (let times = 0; times < 3; times++) node.othersShowed(rowNo(50, START + 5_000));
  for (const ms of [7_000, 9_000, 11_000]) node.nodeShowed(START + ms, []);
  await clock.advance(12_000);
  node.update();
  expect(node.isComplete).toBe(true);
  expect(node.agreedUntil).toBe(START + 5_000);
  expect(logger.lines).toEqual([]);
});
