import { expect, test } from 'vitest';
import type { BlockFill } from '../../../../../src/infra/market/polymarket/chain/chain-block.ts';
import { DescribedFills } from '../../../../../src/infra/market/polymarket/chain/described-fills.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { noMetrics } from '../../../../support/no-metrics.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { START } from '../../../../support/rows.ts';

const HOUR_MS = 3_600_000;

const fillOf = (tokenId: string, at = START) =>
  ({ fill: { tokenId }, at, row: null }) as unknown as BlockFill;

function fillsOfUnknownTokens() {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const tokens = { get: () => null, lookUp: async () => {} };
  const fills = new DescribedFills({ clock, logger, metrics: noMetrics, tokens, onBlock: async () => {} });
  return { clock, logger, fills };
}

test('no more than 20,000 fills wait for their token: the oldest are dropped first, which is logged', async () => {
  const { fills, logger } = fillsOfUnknownTokens();
  const all = Array.from({ length: 20_500 }, (_, index) => fillOf(`t${index}`, START + index));
  await fills.passOn(START, all);
  expect(fills.waiting).toEqual({ size: 20_000, oldest: { tokenId: 't500', since: START + 500 } });
  expect(logger.lines.map(({ level }) => level)).toEqual(['warn']);
});

test('a fill waits 20 hours for its token', async () => {
  const { fills, clock } = fillsOfUnknownTokens();
  await fills.passOn(START, [fillOf('old'), fillOf('new', START + 60_000)]);
  await clock.advance(20 * HOUR_MS - 1);
  await fills.passOn(START, []);
  expect(fills.waiting.size).toBe(2);
  await clock.advance(1);
  await fills.passOn(START, []);
  expect(fills.waiting).toEqual({ size: 1, oldest: { tokenId: 'new', since: START + 60_000 } });
});

test('a fill whose block was replaced waits no longer', async () => {
  const { fills } = fillsOfUnknownTokens();
  const fill = fillOf('a');
  await fills.passOn(START, [fill]);
  fills.remove(fill);
  expect(fills.waiting).toEqual({ size: 0, oldest: null });
});
