import { describe, expect, test } from 'vitest';
import { SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import type { Order, OrderListener } from '../../../src/core/detection/order.ts';
import { DEFAULT_RULES, type DetectionRules } from '../../../src/core/detection/rules.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { CLOSE, judgeRows } from '../../support/judge-rows.ts';
import { readTape } from '../../support/read-tape.ts';
import { closeRow, marketRow, START, tradeRow } from '../../support/rows.ts';

class Recorder implements OrderListener {
  readonly orders: Order[] = [];
  readonly watched = new Set<string>();

  isWatched(marketId: string): boolean {
    return this.watched.has(marketId);
  }

  order(order: Order): void {
    this.orders.push(order);
  }

  get texts(): readonly string[] {
    return this.orders.map(({ fill, usdc }) => `${fill.wallet} ${fill.asset} ${fill.side} ${usdc / 1e6}`);
  }
}

function heard(rows: readonly Row[], rules: DetectionRules = DEFAULT_RULES): Recorder {
  const recorder = new Recorder();
  judgeRows(new Detector(rules, { isComplete: true }, recorder), rows);
  return recorder;
}

describe('a listener hears of each order', () => {
  test('once, with the sums of all its fills, buys and sales, at any price, in the order of judging', () => {
    const { texts } = heard([
      tradeRow({ wallet: '0xb', usdc: 100 }),
      tradeRow({ wallet: '0xa', usdc: 30, price: 0.99, asset: '1002' }),
      tradeRow({ wallet: '0xb', side: 'SELL', usdc: 40 }),
      tradeRow({ wallet: '0xb', usdc: 50, at: START + SECOND_MS / 2 }),
      tradeRow({ wallet: '0xa', usdc: 20, at: START + SECOND_MS }),
    ]);
    expect(texts).toEqual(['0xa 1002 BUY 30', '0xb 1001 BUY 150', '0xb 1001 SELL 40', '0xa 1001 BUY 20']);
  });

  test('of late fills as of an order of the same second', () => {
    const recorder = heard([tradeRow({ usdc: 300 }), CLOSE, tradeRow({ usdc: 200 })]);
    expect(recorder.texts.map((text) => text.split(' ').at(-1))).toEqual(['300', '200']);
    expect(recorder.orders.map(({ at }) => at)).toEqual([START, START]);
  });

  test('but not in a market that the rules ignore, known by its words or by its tags', () => {
    const upDown = { slug: 'btc-updown-15m-1763740800', title: 'Bitcoin Up or Down' };
    expect(heard([tradeRow(upDown)]).texts).toEqual([]);
    expect(heard([marketRow({ tags: ['sports'] }), tradeRow()]).texts).toEqual([]);
    const rules = { ...DEFAULT_RULES, ignore: { ...DEFAULT_RULES.ignore, sports: false } };
    expect(heard([marketRow({ tags: ['sports'] }), tradeRow()], rules).texts).toHaveLength(1);
  });

  test('also in a market that the rules ignore, when it is watched since before', () => {
    const recorder = new Recorder();
    recorder.watched.add('0xm1');
    const rows = [marketRow({ tags: ['sports'] }), tradeRow(), tradeRow({ marketId: '0xm2' })];
    judgeRows(new Detector(DEFAULT_RULES, { isComplete: true }, recorder), rows);
    expect(recorder.orders.map(({ fill }) => fill.marketId)).toEqual(['0xm1', '0xm2']);
  });
});

test('on the midterms tape candidates, drops and state are the same with and without a listener', async () => {
  const tape = await readTape('data/tapes/midterms-2022.jsonl.gz');
  const rows = tape.rows.flatMap((row, index) => (index % 500 === 0 ? [row, closeRow()] : [row]));
  const recorder = new Recorder();
  const [without, withIt] = [new Detector(DEFAULT_RULES, tape), new Detector(DEFAULT_RULES, tape, recorder)];
  const judged = (detector: typeof without) => [...rows, CLOSE].map((row) => detector.judge(row));
  expect(judged(withIt)).toEqual(judged(without));
  expect([...withIt.snapshot()]).toEqual([...without.snapshot()]);
  const usdc = recorder.orders.reduce((sum, order) => sum + order.usdc, 0);
  const traded = rows.flatMap((row) => (row.kind === 'trade' ? [row.trade] : []));
  expect(usdc).toBe(traded.reduce((sum, { shares, price }) => sum + Math.round(shares * price * 1e6), 0));
});
