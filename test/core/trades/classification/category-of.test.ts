import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categoryOf } from '../../../../src/core/trades/classification/category-of.ts';
import { CATEGORIES, type Category } from '../../../../src/core/trades/trade.ts';

const bare = { title: '', slug: '', tags: [], category: null };
const ofTitle = (title: string) => categoryOf({ ...bare, title });
const ofTags = (...tags: string[]) => categoryOf({ ...bare, tags });

describe('categoryOf, by tags', () => {
  const cases: [string, Category, string[]][] = [
    ['a crypto price series', 'crypto', ['up-or-down', 'crypto-prices', 'recurring', 'crypto', '15M']],
    ['a Fed decision', 'finance', ['fed-rates', 'business', '2025-predictions']],
    [
      'a conflict, though politics stands beside it',
      'world',
      ['middle-east', 'iran', 'politics', 'geopolitics'],
    ],
    ['an index bet between celebrities', 'finance', ['finance', 'spx', 'celebrities', 'equities', 'sp-500']],
    ['a pageant of countries', 'pop_culture', ['celebrities', 'world', 'awards']],
    ['a national song contest', 'pop_culture', ['pop-culture', 'ukraine', 'music', 'eurovision']],
    ['a celebrity at a sports event', 'pop_culture', ['sports', 'nfl', 'super-bowl', 'celebrities']],
    ['a match', 'other', ['sports', 'games', 'soccer', 'la-liga-2']],
  ];
  it.each(cases)('%s is %s', (_, category, tags) => {
    expect(ofTags(...tags)).toBe(category);
    expect(ofTags(...tags.toReversed())).toBe(category);
  });

  it('trusts tags over the category text and the title', () => {
    expect(categoryOf({ title: 'Bitcoin', slug: 'bitcoin', tags: ['politics'], category: 'Crypto' })).toBe(
      'politics',
    );
  });

  it('counts a repeated tag once', () => {
    expect(ofTags('politics', 'Politics', ' politics ', 'crypto', 'bitcoin')).toBe('crypto');
  });

  it('keeps a sports market in other even when its title names a country at war', () => {
    expect(categoryOf({ ...bare, title: 'Israel vs. Norway', tags: ['sports', 'soccer'] })).toBe('other');
  });

  it('falls through tags that only sort the site', () => {
    expect(categoryOf({ ...bare, title: 'Oscars: Best Picture', tags: ['all', 'featured'] })).toBe(
      'pop_culture',
    );
  });
});

describe('categoryOf, by the category text of older markets', () => {
  it.each([
    ['US-current-affairs', 'politics'],
    ['Pop-Culture ', 'pop_culture'],
    ['Ukraine & Russia', 'world'],
    ['Business', 'finance'],
    ['NFTs', 'crypto'],
    ['Sports', 'other'],
  ] as const)('%s is %s', (text, category) => {
    expect(categoryOf({ ...bare, title: 'Will it happen?', category: text })).toBe(category);
  });

  it('reads the title when the text is not known', () => {
    expect(categoryOf({ ...bare, title: 'Fed rate cut in March?', category: 'Miscellany' })).toBe('finance');
  });
});

describe('categoryOf, by keywords', () => {
  it.each([
    ['Georgia Senate 2022: which party wins?', 'politics'],
    ['Will Donald Trump win the 2024 US Presidential Election?', 'politics'],
    ['Will Trump nominate Kevin Warsh as the next Fed chair?', 'politics'],
    ['Will Maduro be out by January 31?', 'world'],
    ['Will María Corina Machado win the Nobel Peace Prize in 2025?', 'world'],
    ['Will China invade Taiwan in 2026?', 'world'],
    ['Will Bitcoin reach $200k in 2026?', 'crypto'],
    ['Will Trump launch a coin before the election?', 'crypto'],
    ['Fed decreases interest rates by 25 bps after January 2026 meeting?', 'finance'],
    ['S&P 500 above 7,000 at the end of the year?', 'finance'],
    ['Will OpenAI release GPT-5 by August?', 'tech'],
    ['Will SpaceX launch Starship by March?', 'tech'],
    ['Will Nimona win the Oscar for Best Animated Feature Film?', 'pop_culture'],
    ['Will Eleven die in "Stranger Things: Season 5"?', 'pop_culture'],
    ['Will the Washington Wizards win the 2025 NBA Finals?', 'other'],
  ] as const)('%s is %s', (title, category) => {
    expect(ofTitle(title)).toBe(category);
  });

  it.each([
    ['Will the Larks reach the Euro 2028 final?', 'Will the euro reach parity with the dollar?', 'finance'],
    ['Will M. Orrin win gold in the 500 m?', 'Will gold close above $4,000 in December?', 'finance'],
    ['Who wins the China Open final?', 'Will China blockade Taiwan?', 'world'],
    ['Will the Eagles win the coin toss?', 'Will the coin reach a market cap of $1b?', 'finance'],
    ['Will turkey be cheaper this Thanksgiving?', 'Will Turkey leave the alliance with the US?', 'world'],
    ['Turkey vs. Georgia: who wins?', 'Will Turkey and Syria sign an agreement?', 'world'],
    ['Will the Seattle Kraken win on Friday?', 'Will Kraken list on an exchange?', 'crypto'],
    ['Will the Ottawa Senators win tonight?', 'Will senators pass the bill?', 'politics'],
    ['Will an apple pie win the county fair?', 'Will Apple release a foldable phone?', 'tech'],
    ['Will the Lakers acquire a center?', 'Will Microsoft acquire a game studio?', 'finance'],
    ['Will Drake Maye throw three touchdowns?', 'Will Drake release a diss?', 'pop_culture'],
    ['Will the animals be fed by noon?', 'Will the Fed cut rates in March?', 'finance'],
    ['Will he strike out ten batters?', 'US strikes Iran?', 'world'],
    ['Will Japan beat Germany in the match?', 'Japan to join the talks?', 'world'],
    ["Will Claude Monet's painting sell?", 'Will Claude 5 be released by June?', 'tech'],
    ['Will Ai Tanaka win Wimbledon?', 'Which company has the best AI model?', 'tech'],
    ['Will Bill win the race?', 'Will the bill be signed?', 'politics'],
    ['DR Congo, Democratic Republic, vs. Zambia', 'Will the Democratic candidate win Ohio?', 'politics'],
    ['Barry Bonds: most home runs?', 'Will bonds rally, with yields below 4%?', 'finance'],
  ] as const)(
    'a word with another common meaning decides only with its topic: %s | %s',
    (other, title, category) => {
      expect([ofTitle(other), ofTitle(title)]).toEqual(['other', category]);
    },
  );

  it('is of no celebrity less because of sports', () => {
    expect(ofTitle('Will Taylor Swift attend the final?')).toBe('pop_culture');
  });

  it('matches whole words only', () => {
    expect(ofTitle('A resolution by a method they said')).toBe('other');
    expect(ofTitle('Will the awards of warning be paid?')).toBe('other');
  });

  it('ignores a quoted word that a person may say', () => {
    expect(ofTitle('Will Trump say "Bitcoin" during the rally?')).toBe('politics');
    expect(ofTitle('Will Trump say “Bitcoin” during the rally?')).toBe('politics');
  });

  it('reads the slug when the title says nothing', () => {
    expect(categoryOf({ ...bare, title: 'By June 30?', slug: 'russia-x-ukraine-ceasefire-by-june-30' })).toBe(
      'world',
    );
  });

  it('is other when nothing is known', () => {
    expect(categoryOf(bare)).toBe('other');
  });
});

it('gives a category of the contract for any text and never throws', () => {
  const market = fc.record({
    title: fc.string({ unit: 'binary' }),
    slug: fc.string(),
    tags: fc.array(fc.string()),
    category: fc.option(fc.string({ unit: 'grapheme' })),
  });
  fc.assert(
    fc.property(market, (anything) => {
      expect(CATEGORIES).toContain(categoryOf(anything));
    }),
  );
});
