import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { walletPositions, walletRecord } from '../../../src/core/alerts/wallet-report.ts';
import { alertOf } from '../../support/alerts.ts';

const LOST = { payout: 0, won: false, profitUsdc: -2_000 };
const WON = { payout: 1, won: true, profitUsdc: 3_000 };

function settled(id: number, market: number, given: Partial<Alert> = {}): Alert {
  return alertOf({ id, marketId: `0xm${market}`, resolution: WON, ...given });
}

const recordOf = (alerts: readonly Alert[]) => walletRecord(walletPositions(alerts));

const tenMarkets = Array.from({ length: 10 }, (_, index) => settled(index + 1, index));

test('fewer than ten settled markets are too few to say, however many alerts there are', () => {
  const nine = Array.from({ length: 90 }, (_, index) => settled(index + 1, index % 9));
  expect(recordOf(nine)).toEqual({ markets: 9, positions: 9, figures: null });
  expect(recordOf([...nine, alertOf({ id: 91, marketId: '0xopen' })])).toMatchObject({ figures: null });
  expect(recordOf([])).toEqual({ markets: 0, positions: 0, figures: null });
});

test('one market has one vote: positions of one market share it', () => {
  const record = recordOf([
    ...tenMarkets.slice(0, 8),
    settled(9, 8, { resolution: LOST }),
    // Both outcomes of one market: one right, one wrong.
    settled(10, 9),
    settled(11, 9, { outcome: 'No', resolution: LOST }),
  ]);
  expect(record).toMatchObject({ markets: 10, positions: 11, figures: { won: 8, lost: 1, winRate: 0.85 } });
});

test('a position counts as its newest alert states it, and a cluster by the position of its last wallet', () => {
  const { details } = alertOf({ id: 1 });
  const position = { ...details, positionShares: 100, marketTotalBought: 40 };
  const record = recordOf([
    // A sale has no position: the profit of the order.
    ...tenMarkets.slice(0, 8).map((alert) => ({
      ...alert,
      side: 'SELL' as const,
      usdc: 5_001,
      resolution: { ...WON, profitUsdc: 1 },
    })),
    settled(9, 8, { details: { ...position, positionShares: 50 } }),
    settled(10, 8, { details: position }),
    settled(11, 9, { type: 'cluster', details: { ...position, clusterShares: 9_999, clusterTotal: 1 } }),
  ]);
  expect(record.positions).toBe(10);
  expect(record.figures?.profitUsdc).toBe(8 + 60 + 60);
});

test('a position has all its alerts, what the newest of them says was put in, and what it earned', () => {
  const { details } = alertOf({ id: 1 });
  const bought = { ...details, positionShares: 100, marketTotalBought: 40, marketAvgPrice: 0.4 };
  const positions = walletPositions([
    settled(1, 0),
    settled(2, 1, { type: 'cluster', resolution: null, details: bought }),
    settled(3, 0, { type: 'cluster', threadId: 2, details: bought }),
    settled(4, 2, { side: 'SELL', shares: 5_000, usdc: 2_000, resolution: { ...LOST, payout: 1 } }),
  ]);
  const shown = positions.map(({ newest, own, ...position }) => ({
    id: newest.id,
    own: own?.id,
    ...position,
  }));
  const amounts = { usdc: 40, shares: 100, price: 0.4 };
  expect(shown).toEqual([
    { id: 4, alertIds: [4], own: 4, usdc: 2_000, shares: 5_000, price: 0.4, profitUsdc: -3_000 },
    { id: 3, alertIds: [1, 3], own: 1, ...amounts, profitUsdc: 60 },
    { id: 2, alertIds: [2], own: undefined, ...amounts, profitUsdc: null },
  ]);
});
