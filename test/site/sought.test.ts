import { expect, test } from 'vitest';
import { readSought } from '../../src/site/sought.ts';

const WHOLE = `0x872c${'0'.repeat(32)}41f0`;
const wallet = (start: string, end = '') => ({ kind: 'wallet', ends: { start, end } });
const slugs = (...names: readonly string[]) => ({ kind: 'slugs', slugs: names });

test.each([
  [WHOLE, wallet(WHOLE)],
  [WHOLE.toUpperCase().replace('0X', '0x'), wallet(WHOLE)],
  [WHOLE.slice(2), wallet(WHOLE)],
  [`https://polymarket.com/profile/${WHOLE}?tab=activity`, wallet(WHOLE)],
  ['0x872c…41f0', wallet('0x872c', '41f0')],
  [' “0x872C...41F0”, ', wallet('0x872c', '41f0')],
  ['0x872c..41f0', wallet('0x872c', '41f0')],
  ['0x872c … 41f0', wallet('0x872c', '41f0')],
  ['0x872c 41f0', wallet('0x872c', '41f0')],
  ['0x872c-41f0', wallet('0x872c', '41f0')],
  ['872c…41f0', wallet('0x872c', '41f0')],
  ['0x872c…', wallet('0x872c')],
  ['0x872c', wallet('0x872c')],
])('%s is a wallet', (text, sought) => {
  expect(readSought(text)).toEqual(sought);
});

test.each([
  ['12', { kind: 'alert', id: 12, isNamed: false }],
  ['#12', { kind: 'alert', id: 12, isNamed: true }],
  ['Alert 12', { kind: 'alert', id: 12, isNamed: true }],
  ['alert #12', { kind: 'alert', id: 12, isNamed: true }],
])('%s is an alert', (text, sought) => {
  expect(readSought(text)).toEqual(sought);
});

test.each([
  ['https://polymarket.com/event/the-event/the-market?tid=1', slugs('the-market', 'the-event')],
  ['polymarket.com/event/the-event', slugs('the-event')],
  ['https://www.polymarket.com/de/market/the%2Dmarket#x', slugs('the-market')],
])('%s is a market', (text, sought) => {
  expect(readSought(text)).toEqual(sought);
});

test.each([
  ...['senate', '0', '#0', '0xm1', '0x87', 'dead-beef', 'face cafe', 'alert', '12 days', '1'.repeat(16), '%'],
  'https://polymarket.com/',
  'https://example.com/event/x',
])('%s is a text', (text) => {
  expect(readSought(text)).toEqual({ kind: 'text', text });
});

test('what is left of quotes alone is the text as it was', () => {
  expect(readSought(' "" ')).toEqual({ kind: 'text', text: '""' });
});
