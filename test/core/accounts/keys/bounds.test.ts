import { expect, test } from 'vitest';
import { keysIn, lookupOf, lookupOfStart } from '../../../../src/core/accounts/keys/key-text.ts';

test('a key is found by its start from the tenth character on, and by nothing that is not the start of a key', () => {
  const key = `sk_live_${'abcdefghij'.repeat(4)}xyz`;
  for (const length of [18, 30, 51]) expect(lookupOfStart(key.slice(0, length))).toBe('abcdefghij');
  expect(lookupOf(key)).toBe('abcdefghij');
  for (const text of [key.slice(0, 17), `${key}x`, ` ${key}`, `${key.slice(0, 20)} x`, key.slice(8)])
    expect([lookupOfStart(text), lookupOf(text)]).toEqual([null, null]);
});

const KEY = `sk_live_${'abc-_FGHij'.repeat(4)}xyz`;
const [HEAD, TAIL] = [KEY.slice(0, 20), KEY.slice(20)];
test.each([
  [KEY, 1],
  [`my key:${KEY}.`, 1],
  [`x${KEY}y`, 1],
  [`${KEY} ${KEY}`, 1],
  [`${HEAD}\n${TAIL}`, 1],
  [`my\n${HEAD} \t\r\n\n  ${TAIL} is it`, 1],
  [`${HEAD}\n${TAIL.slice(0, 9)}\n${TAIL.slice(9)}`, 1],
  [`${KEY}\nis it`, 1],
  [`${HEAD}\n${TAIL}xyz`, 0],
  [`${HEAD} ${TAIL}`, 0],
  [`${HEAD}.\n${TAIL}`, 0],
  [`${HEAD}\n.${TAIL}`, 0],
  [KEY.slice(0, -1), 0],
])('of %j as many texts have the form of a key: %i', (text, count) => {
  expect(keysIn(text)).toEqual(count === 0 ? [] : [KEY]);
});
