import { expect, test } from 'vitest';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import type { Row, TradeRole } from '../../../src/core/trades/trade.ts';
import { CLOSE, judgeAll } from '../../support/judge-rows.ts';
import { tradeOf, tradeRow } from '../../support/rows.ts';

const fill = (role: TradeRole | null, usdc = 600): Row => tradeRow({ role, usdc });
const rolesOf = (rows: readonly Row[]) => judgeAll(rows).map(({ details }) => details.role);

test.each<[TradeRole | null, readonly (TradeRole | null)[]]>([
  ['taker', ['taker', 'taker']],
  ['maker', ['maker', 'maker']],
  [null, ['taker', 'maker']],
  [null, ['maker', null]],
  [null, [null, null]],
])('the role of an alert is %s for fills of the roles %j', (role, roles) => {
  expect(rolesOf(roles.map((each) => fill(each)))).toEqual([role]);
});

test('late fills of an order that was not alerted have a part in its role', () => {
  expect(rolesOf([fill('maker'), CLOSE, fill('maker')])).toEqual(['maker']);
  expect(rolesOf([fill('maker'), CLOSE, fill('taker')])).toEqual([null]);
});

test('an order that was removed whole takes the role of the fills that come after', () => {
  const gone = tradeOf({ usdc: 600, role: 'maker' });
  const [taken, removed] = (['trade', 'removed'] as const).map(
    (kind): Row => ({ kind, at: gone.at, trade: gone }),
  );
  expect(rolesOf([taken as Row, CLOSE, removed as Row, fill('taker', 1_200)])).toEqual(['taker']);
});

test('the role is no part of the key and the score, and a fill that comes again with one changes nothing', () => {
  const trade = tradeOf({ usdc: 2_000 });
  const rows = (role: TradeRole | null): Row => ({ kind: 'trade', at: trade.at, trade: { ...trade, role } });
  const [unknown, maker] = [judgeAll([rows(null)])[0], judgeAll([rows('maker')])[0]];
  expect(maker).toEqual({ ...unknown, details: { ...unknown?.details, role: 'maker' } });

  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  detector.judge(rows(null));
  expect(detector.judge(rows('maker')).dropped).toBe('repeat');
  expect(detector.judge(CLOSE).candidates).toEqual([unknown]);
});
