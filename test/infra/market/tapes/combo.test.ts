import { expect, test } from 'vitest';
import { parseLine } from '../../../../src/infra/market/tapes/row-schema.ts';
import { START } from '../../../support/rows.ts';

const HASH = 'ab'.repeat(30);
/** Of Protocol V2: module, hash and arity, 64 zero bits, chain and condition. */
const V2 = `${'ab'.repeat(18)}${'00'.repeat(8)}00890001`;
const tokenOf = (hex: string) => String(BigInt(`0x${hex}`));

function parsed(given: Record<string, unknown>) {
  const trade = {
    ...{ proxyWallet: '0xa11ce', side: 'BUY', size: 10_000, price: 0.3, timestamp: START / 1_000 },
    ...{ title: 'Harbour votes yes AND the Larks win', slug: '', outcome: '', outcomeIndex: 0 },
    ...{ transactionHash: '0xc0', ...given },
  };
  const row = parseLine(JSON.stringify(trade), START);
  return row.kind === 'bad' ? row.reason : row.kind;
}

test.each([
  ['flagged as in the statistics', { is_combo: true, conditionId: '0xm1', asset: '7' }],
  ['flagged as in version 1', { isCombo: true, conditionId: '0xm1', asset: '7' }],
  ['with an id of 62 digits, as the list writes it', { conditionId: `0x03${HASH}`, asset: '7' }],
  ['with a padded id and the token of module 3', { conditionId: `0x03${V2}00`, asset: tokenOf(`03${V2}01`) }],
  ['with an id that its token continues', { conditionId: `0x03${HASH}ab`, asset: tokenOf(`03${HASH}ab`) }],
  [
    'in upper case',
    { conditionId: `0X03${V2.toUpperCase()}00`.replace('X', 'x'), asset: tokenOf(`03${V2}00`) },
  ],
])('a trade of a combo is left out: %s', (_, given) => {
  expect(parsed(given)).toBe('combo');
});

test.each([
  [
    'a hash that begins with the byte, and its token',
    { conditionId: `0x03${HASH}cd`, asset: tokenOf(`71${HASH}cd`) },
  ],
  [
    'a hash that begins and ends like a padded id',
    { conditionId: `0x03${HASH}00`, asset: tokenOf(`71${HASH}00`) },
  ],
  ['a token that begins with the byte', { conditionId: `0x71${HASH}cd`, asset: tokenOf(`03${HASH}cd`) }],
  ['a single market of Protocol V2', { conditionId: `0x01${V2}00`, asset: tokenOf(`01${V2}01`) }],
  ['a flag that says no', { is_combo: false, conditionId: '0xm1', asset: '7' }],
])('another trade stays: %s', (_, given) => {
  expect(parsed(given)).toBe('trade');
});
