import { describe, expect, it } from 'vitest';
import { isIgnoredMarket } from '../../../src/core/detection/ignored-market.ts';

const ALL = { ignorePriceMarkets: true, ignoreSports: true };
const market = (slug: string, title: string, tags: string[] = []) => ({ slug, title, tags });

const SHORT_PRICE: [slug: string, title: string][] = [
  ['btc-updown-15m-1763755200', ''],
  ['sol-updown-5m-1766972400', 'Solana Up or Down - December 28, 8:40PM-8:45PM ET'],
  ['xrp-updown-4h-1763755200', ''],
  ['bitcoin-up-or-down-november-21-3pm-et', 'Bitcoin Up or Down - November 21, 3PM ET'],
  ['bitcoin-up-or-down-november-1-2026-1am-et', ''],
  ['ethereum-up-or-down-on-november-1-2026', 'Ethereum Up or Down on November 1?'],
  ['xrp-up-or-down-on-november-7', 'XRP Up or Down on November 7?'],
  ['abnb-up-or-down-on-november-12-2025', ''],
  ['spx-opens-up-or-down-on-february-13-2026', 'S&P 500 (SPX) Opens Up or Down on February 13?'],
  ['bitcoin-above-95000-on-november-21-3pm-et', 'Bitcoin above 95,000 on November 21, 3PM ET?'],
  ['bitcoin-above-on-november-1-2026-1am-et', 'Bitcoin above ___ on November 1, 1AM ET?'],
  ['eth-price-february-22-9am-et', ''],
  ['', 'Will the price of Solana be between 180 and 185 at 12:05 PM ET?'],
];

const KEPT: [slug: string, title: string][] = [
  ['will-bitcoin-reach-200k-in-2026', 'Will Bitcoin reach $200k in 2026?'],
  ['bitcoin-above-96k-on-november-10', 'Will the price of Bitcoin be above $96,000 on November 10?'],
  ['what-price-will-bitcoin-hit-in-november-2025', 'What price will Bitcoin hit in November?'],
  ['will-the-senate-hold-an-up-or-down-vote', 'Will the Senate hold an up or down vote on the nominee?'],
  ['trump-press-conference-by-3pm-et', 'Will Trump hold a press conference by 3PM ET?'],
  ['elon-tweets', 'Will Elon Musk post between 100 and 119 tweets by November 21, 12PM ET?'],
  ['trump-bitcoin', 'Will Trump talk about Bitcoin before 3PM ET?'],
  ['maduro-out-by-january-31-2026-318', 'Maduro out by January 31, 2026?'],
  ['will-spotify-stock-go-up-this-week', 'Will Spotify go up this week?'],
];

describe('isIgnoredMarket, price markets', () => {
  it.each(SHORT_PRICE)('leaves out %s %s', (slug, title) => {
    expect(isIgnoredMarket(market(slug, title), ALL)).toBe(true);
    expect(isIgnoredMarket(market(slug, title), { ...ALL, ignorePriceMarkets: false })).toBe(false);
  });

  it.each(KEPT)('keeps %s', (slug, title) => {
    expect(isIgnoredMarket(market(slug, title, ['crypto', 'crypto-prices']), ALL)).toBe(false);
  });

  it.each(['up-or-down', '5M', '15M', '1H', '4h', 'hourly'])('leaves out what is tagged %s', (tag) => {
    expect(isIgnoredMarket(market('x', 'X', [tag]), ALL)).toBe(true);
  });
});

describe('isIgnoredMarket, sports', () => {
  const leagues = 'sports nba nfl soccer epl mlb nhl tennis ufc esports cricket NBA'.split(' ');
  it.each(leagues)('leaves out what is tagged %s, as an option', (tag) => {
    const match = market('nba-lal-bos-2026-01-12', 'Lakers vs. Celtics', ['all', tag]);
    expect(isIgnoredMarket(match, ALL)).toBe(true);
    expect(isIgnoredMarket(match, { ...ALL, ignoreSports: false })).toBe(false);
  });

  it('goes by tags, not by the title', () => {
    expect(isIgnoredMarket(market('nba-finals', 'NBA Finals winner', []), ALL)).toBe(false);
  });
});
