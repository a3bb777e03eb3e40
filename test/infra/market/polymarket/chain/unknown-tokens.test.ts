import { expect, test } from 'vitest';
import type { BlockFill } from '../../../../../src/infra/market/polymarket/chain/chain-block.ts';
import { UnknownTokens } from '../../../../../src/infra/market/polymarket/chain/described-fills.ts';
import { START } from '../../../../support/rows.ts';

const fillOf = (tokenId: string, at = START) =>
  ({ fill: { tokenId }, at, row: null }) as unknown as BlockFill;

test('no more than 20,000 fills wait: the oldest are given up first, and counted', () => {
  const unknown = new UnknownTokens();
  for (let index = 0; index < 20_500; index++) unknown.add(fillOf(`t${index % 100}`, START + index));
  expect(unknown.giveUp(START)).toBe(500);
  expect(unknown.size).toBe(20_000);
  expect(unknown.takeWhere(() => true)).toHaveLength(20_000);
  expect(unknown.size).toBe(0);
});

test('after 20 hours a fill is given up', () => {
  const unknown = new UnknownTokens();
  unknown.add(fillOf('old'));
  unknown.add(fillOf('new', START + 60_000));
  expect(unknown.giveUp(START + 20 * 3_600_000 - 1)).toBe(0);
  expect(unknown.giveUp(START + 20 * 3_600_000)).toBe(1);
  expect(unknown.oldest).toEqual({ tokenId: 'new', since: START + 60_000 });
});

test('what is removed waits no longer, and is not removed twice', () => {
  const unknown = new UnknownTokens();
  const fill = fillOf('a');
  unknown.add(fill);
  unknown.remove(fill);
  unknown.remove(fill);
  expect(unknown.size).toBe(0);
  expect(unknown.oldest).toBeNull();
});
