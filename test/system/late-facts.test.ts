import { expect, test } from 'vitest';
import { SECOND_MS } from '../../src/core/base/time/duration.ts';
import { tapeOf } from '../support/market/market-tape.ts';
import {
  conditionNo,
  smallTape,
  TAPE_START_S,
  transactionNo,
  walletNo,
} from '../support/market/small-tape.ts';
import { watchMarket } from '../support/market/watched-market.ts';

/** The service starts when the market has traded for two minutes, a trade each second. */
const START = TAPE_START_S + 120;
/** Seconds after the start. */
const FROM = 20;
const UNTIL = 65;

/** Small trades, one each second, and during the fault a buy of a new wallet for 2,000 USDC every five. */
function tapeWithBuys() {
  const { markets, trade } = smallTape(900);
  const small = Array.from({ length: 900 }, (_, n) => ({ ...trade(n), size: 4 }));
  const seconds = Array.from({ length: (UNTIL - FROM) / 5 + 1 }, (_, n) => FROM + 5 * n);
  const buys = seconds.map((second) => ({
    ...{ ...trade(1), side: 'BUY', size: 4_000, proxyWallet: walletNo(1_000 + second) },
    ...{
      conditionId: conditionNo(1),
      timestamp: START + second,
      transactionHash: transactionNo(1_000 + second),
    },
  }));
  const open = markets.filter(({ closed }) => closed === false);
  return { tape: tapeOf([...open, ...small, ...buys]), buys: buys.length };
}

test('45 s of HTML on every route while a node shows trades: it is said within 30 s that facts are late, and the last alert leaves within 60 s of the end', async () => {
  const { tape, buys } = tapeWithBuys();
  const service = await watchMarket(tape, START * SECOND_MS, { hasNode: true });
  const delayed = async () => (await service.named()).coverage.facts_delayed;
  await service.pass(FROM * SECOND_MS);
  service.strike({ kind: 'html' });
  await service.pass(30 * SECOND_MS);
  expect(Date.parse((await delayed())?.since)).toBeLessThan((START + FROM + 20) * SECOND_MS);
  await service.pass((UNTIL - FROM - 30) * SECOND_MS);
  expect((await delayed())?.waiting).toBeGreaterThanOrEqual(buys - 4);

  service.strike();
  await service.pass(60 * SECOND_MS);
  const alerts = await service.alerts();
  expect(alerts.filter(({ key }) => key.startsWith('w:'))).toHaveLength(buys);
  expect((await service.named()).coverage).toMatchObject({ state: 'live', facts_delayed: null });
});
