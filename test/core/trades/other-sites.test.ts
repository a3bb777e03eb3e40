import { expect, test } from 'vitest';
import { chainAddress, marketAddress, walletAddress } from '../../../src/core/trades/other-sites.ts';

const WALLET = '0xa11ce0000000000000000000000000000000c0de';
const market = (eventSlug: string, marketEvent: string | null, eventTitle = 'Will Harbour vote yes?') =>
  marketAddress({ eventTitle, eventSlug, marketEvent });

/**
 * The slug of a market in an address of Polymarket, as its SDKs read it: `/event/SLUG` or `/event/EVENT/MARKET`, and null for what
 * the site does not serve (parsePolymarketSlugUrl of Polymarket/ts-sdk with pull request 99; `/market/SLUG`: py-sdk issue 57).
 */
function slugReadBySdks(address: string): string | null {
  const url = new URL(address);
  if (url.protocol !== 'https:' || url.hostname !== 'polymarket.com') return null;
  const [kind, event, slug, ...more] = url.pathname.split('/').filter(Boolean);
  return kind === 'event' && event !== undefined && more.length === 0 ? (slug ?? event) : null;
}

test.each([
  ['harbour-vote-yes', 'harbour-vote', 'https://polymarket.com/event/harbour-vote/harbour-vote-yes'],
  ['harbour-vote', 'harbour-vote', 'https://polymarket.com/event/harbour-vote'],
  ['new-album-before-gta-vi-926', 'what-will-happen-before-gta-vi', undefined],
  ['eth-updown-5m-1780069800', 'eth-updown-5m-1780069800', undefined],
  ['epl-ars-che-2026-01-01-ars', 'epl-ars-che-2026-01-01', undefined],
])('the market %s of the event %s has an address that the SDKs of its site read', (slug, event, address) => {
  expect(slugReadBySdks(market(slug, event))).toBe(slug);
  if (address !== undefined) expect(market(slug, event)).toBe(address);
});

test('a market whose event is unknown is searched for: its slug alone may lead nowhere', () => {
  const search = 'https://polymarket.com/search?_q=Will%20Harbour%20vote%20yes%3F';
  for (const event of [null, '', '.', '..']) expect(market('harbour-vote-yes', event)).toBe(search);
});

test('whatever a slug or a wallet holds, it is one part of the path', () => {
  expect(market('half\ud83c/../x?', 'the event')).toBe(
    'https://polymarket.com/event/the%20event/half%EF%BF%BD%2F..%2Fx%3F',
  );
  expect(market('..', 'the-event')).toBe('https://polymarket.com/event/the-event');
  expect(walletAddress(WALLET)).toBe(`https://polymarket.com/profile/${WALLET}`);
  expect(chainAddress(WALLET)).toBe(`https://polygonscan.com/address/${WALLET}`);
});
