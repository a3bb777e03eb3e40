import { expect, test } from 'vitest';
import type { Trade } from '../../../../../src/core/trades/trade.ts';
import type { ChainFill } from '../../../../../src/infra/market/polymarket/chain/order-filled.ts';
import {
  NodeCertificate,
  NodeCompleteness,
} from '../../../../../src/infra/market/polymarket/merge/node-certificate.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { silentLogger } from '../../../../support/silent-logger.ts';

const START = Date.UTC(2026, 9, 5);

/** A node with a block each second; `show` is called with the second, and says what the node and another source show. */
function certified({ wantedFrom = START }: { wantedFrom?: number | null } = {}) {
  const clock = createFakeClock(START);
  const confirmed: number[] = [];
  const revoked: number[] = [];
  const certificate = new NodeCertificate({
    clock,
    logger: silentLogger,
    coverage: {
      wantedFrom: () => wantedFrom,
      confirmed: ({ from, until }) => void confirmed.push((from - START) / 1_000, (until - START) / 1_000),
      failed: (_, completeUntil) => void revoked.push(((completeUntil ?? START) - START) / 1_000),
    },
  });
  async function block({
    isByNode = true,
    isByOthers = true,
    isProven = true,
    listed = null as number | null,
  }) {
    const from = clock.now();
    await clock.advance(1_000);
    const transaction = `0x${clock.now()}`;
    const key = { transaction, wallet: '0x1', side: 'BUY', ordinal: 1 } as const;
    const fill = { ...key, tokenId: '77', shares: 1_000_000n } as ChainFill;
    const fills = [fill, { ...fill, transaction: `${transaction}1` }];
    const others = [key, { ...key, transaction: `${transaction}1` }];
    if (isByOthers)
      for (const row of others)
        certificate.completeness.othersShowed({ ...row, asset: '77', shares: 1, at: clock.now() } as Trade);
    certificate.completeness.nodeShowed(clock.now(), isByNode ? fills : fills.slice(1));
    certificate.passed({ from, until: clock.now(), isProven });
    certificate.update(listed === null ? null : START + listed * 1_000);
  }
  const blocks = async (count: number, what: Parameters<typeof block>[0] = {}) => {
    for (let done = 0; done < count; done++) await block(what);
  };
  return { certificate, confirmed, revoked, blocks };
}

test('blocks are confirmed up to the newest fill that another source has shown, without a gap', async () => {
  const { confirmed, blocks, certificate } = certified();
  await blocks(5);
  await blocks(60, { isByOthers: false });
  expect([confirmed[0], confirmed.at(-1)]).toEqual([0, 5]);
  expect(certificate.isCurrent).toBe(false);
  await blocks(1);
  expect(confirmed.slice(-2)).toEqual([5, 66]);
  expect(certificate.isCurrent).toBe(true);
});

test('a node that nothing agrees with confirms nothing', async () => {
  const { confirmed, blocks } = certified();
  await blocks(60, { isByOthers: false });
  expect(confirmed).toEqual([]);
});

test('what an incomplete node confirmed after the first missing trade is taken back; polling closes the gap', async () => {
  const { confirmed, revoked, blocks } = certified();
  await blocks(30);
  await blocks(12, { isByNode: false });
  expect(revoked).toEqual([30]);
  const before = confirmed.at(-1) as number;
  await blocks(70);
  expect(confirmed.at(-1)).toBe(before);
  await blocks(1, { listed: 60 });
  expect(confirmed.at(-1)).toBe(before);
  await blocks(2, { listed: 112 });
  const [from, until] = confirmed.slice(-2);
  expect(from).toBeGreaterThan(before);
  expect(until).toBe(115);
});

test('what polling has confirmed too is not taken back', async () => {
  const { revoked, blocks } = certified();
  await blocks(30, { listed: 20 });
  await blocks(12, { isByNode: false, listed: 31 });
  expect(revoked).toEqual([31]);
});

test('after a block that is not proven nothing is confirmed until polling has confirmed it', async () => {
  const { confirmed, blocks } = certified();
  await blocks(10);
  await blocks(1, { isProven: false, isByOthers: false });
  await blocks(10);
  expect(confirmed.at(-1)).toBe(10);
  await blocks(1, { listed: 10 });
  expect(confirmed.at(-1)).toBe(10);
  await blocks(1, { listed: 11 });
  expect(confirmed.slice(-2)).toEqual([11, 23]);
});

test('blocks that are too old to be compared are confirmed by polling alone, and before that none after them', async () => {
  const { certificate, confirmed, blocks } = certified();
  certificate.passed({ from: START - 7_200_000, until: START - 3_600_000, isProven: true });
  certificate.passed({ from: START - 3_600_000, until: START - 900_000, isProven: true });
  certificate.passed({ from: START - 900_000, until: START, isProven: true });
  await blocks(10);
  await blocks(1, { listed: -901 });
  expect(confirmed).toEqual([]);
  await blocks(1, { listed: -900 });
  expect(confirmed).toEqual([-900, 12]);
});

test('polling that proves old takes back nothing that the node has confirmed since what is wanted', async () => {
  const { certificate, blocks } = certified({ wantedFrom: START });
  await blocks(10);
  expect(certificate.keep(START - 1)).toBe(START + 10_000);
  const later = certified({ wantedFrom: START - 5_000 });
  await later.blocks(10);
  expect(later.certificate.keep(START - 1)).toBe(START - 1);
  expect(later.certificate.keep(undefined)).toBeUndefined();
});

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
