import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LastingFilter } from '../../../src/core/alerts/passes-filter.ts';
import { ALERT_TYPES } from '../../../src/core/detection/candidate.ts';
import { filterCode, filterLinkCode, filterOfCode } from '../../../src/core/follow/filter-code.ts';
import { parseFilterText, typedFilter, withCategories } from '../../../src/core/follow/filter-text.ts';
import { filterWords } from '../../../src/core/follow/follow-words.ts';
import { CATEGORIES, SIDES } from '../../../src/core/trades/trade.ts';

const filters: fc.Arbitrary<LastingFilter> = fc
  .record(
    {
      categories: fc.subarray([...CATEGORIES], { minLength: 1 }),
      minScore: fc.integer({ min: 0, max: 100 }),
      minPosition: fc.integer({ min: 0, max: 999_999_999 }),
      type: fc.constantFrom(...ALERT_TYPES),
      side: fc.constantFrom(...SIDES),
      search: fc.stringMatching(/^[a-z0-9é木][a-z0-9é木.:-]{0,8}( [a-z0-9]{1,8})?$/),
    },
    { requiredKeys: [] },
  )
  .map(({ categories = [], ...rest }) => withCategories(rest, categories));

const TEN_THOUSAND: LastingFilter = { minPosition: 10_000 };

describe('a filter as people type it', () => {
  test.each<[string, LastingFilter, string]>([
    [
      'category:politics min:60 usdc:5000 type:cluster side:buy words Fed  Rate',
      {
        category: 'politics',
        minScore: 60,
        minPosition: 5_000,
        type: 'cluster',
        side: 'BUY',
        search: 'fed rate',
      },
      'politics, score 60 or more, $5,000 or more, cluster of new wallets, buys, “fed rate”',
    ],
    [
      'min_position=2.5k alert_type:fresh',
      { minPosition: 2_500, type: 'fresh' },
      '$2,500 or more, new wallet',
    ],
    [
      'politics 60 $5k',
      { category: 'politics', minScore: 60, minPosition: 5_000 },
      'politics, score 60 or more, $5,000 or more',
    ],
    [
      '#crypto tech 80+',
      { categories: ['crypto', 'tech'], minScore: 80 },
      'crypto or tech, score 80 or more',
    ],
    ['pop-culture sell', { category: 'pop_culture', side: 'SELL' }, 'pop culture, sales'],
    ['words: “Will it rain?”', { search: 'will it rain?' }, '“will it rain?”'],
    ['all', {}, 'all alerts'],
    ['All alerts', {}, 'all alerts'],
    ['Everything words: bitcoin', { search: 'bitcoin' }, '“bitcoin”'],
    ['all politics 60', { category: 'politics', minScore: 60 }, 'politics, score 60 or more'],
    [
      'all min:80 words all or nothing',
      { minScore: 80, search: 'all or nothing' },
      'score 80 or more, “all or nothing”',
    ],
    ['over 10000', TEN_THOUSAND, '$10,000 or more'],
    ['score 60', { minScore: 60 }, 'score 60 or more'],
    [
      'politics over 10000 score 60',
      { category: 'politics', minScore: 60, minPosition: 10_000 },
      'politics, score 60 or more, $10,000 or more',
    ],
    ['$10k', TEN_THOUSAND, '$10,000 or more'],
    ['10k or more', TEN_THOUSAND, '$10,000 or more'],
    ['min 5000', { minPosition: 5_000 }, '$5,000 or more'],
    ['strong', { minScore: 60 }, 'score 60 or more'],
    ['Very strong', { minScore: 80 }, 'score 80 or more'],
    ['politics 60+', { category: 'politics', minScore: 60 }, 'politics, score 60 or more'],
    // Made up in the same way.
    [
      'at least 2,500 dollars in Pop culture',
      { category: 'pop_culture', minPosition: 2_500 },
      'pop culture, $2,500 or more',
    ],
    [
      'bets > $1.5m and score: 40',
      { minScore: 40, minPosition: 1_500_000 },
      'score 40 or more, $1,500,000 or more',
    ],
    [
      'tech or crypto, moderate',
      { categories: ['crypto', 'tech'], minScore: 40 },
      'crypto or tech, score 40 or more',
    ],
    [
      'New wallet keeps buying 75',
      { type: 'fresh_accumulator', minScore: 75 },
      'score 75 or more, new wallet keeps buying',
    ],
    ['Cluster of new wallets', { type: 'cluster' }, 'cluster of new wallets'],
    ['Sells over 50k', { side: 'SELL', minPosition: 50_000 }, '$50,000 or more, sales'],
  ])('“%s” is read, and shown back in words', (text, filter, words) => {
    expect(parseFilterText(text)).toEqual({ ok: true, filter });
    expect(filterWords(filter)).toBe(words);
  });

  test.each([
    ['politix min:60', 'politix', 'Did you mean politics?'],
    ['min:101', 'min:101', 'A score is a whole number from 0 to 100'],
    ['min:60.5', 'min:60.5', 'A score is a whole number from 0 to 100'],
    ['usdc:much', 'usdc:much', 'Dollars are a number'],
    ['type:whale', 'type:whale', 'A type is new wallet, new wallet keeps buying or cluster of new wallets.'],
    ['side:up', 'side:up', 'A side is buy or sell'],
    ['categry:tech', 'categry:tech', 'There is no “categry”. Did you mean category?'],
    ['category:sports', 'category:sports', 'A category is crypto, politics'],
    ['min:60 80', '80', 'said twice'],
    ['score 5000', 'score:5000', 'A score is a whole number from 0 to 100'],
    ['150', '150', 'A score is a whole number from 0 to 100'],
    ['more', 'more', 'words more'],
    ['under 5000', 'under', 'words under'],
    ['politics words', 'words', 'the words to look for'],
    ['trump', 'trump', 'words trump'],
    [`words ${'x'.repeat(35)}`, 'x'.repeat(35), 'at most 34 characters'],
  ])('“%s” is refused, with the word that is wrong and what would be right', (text, word, right) => {
    const parsed = parseFilterText(text);
    expect(parsed).toMatchObject({ ok: false, word });
    expect(!parsed.ok && parsed.right).toContain(right);
  });

  test('what is typed of any filter is that filter; a button of at most 60 bytes of ASCII holds it, and a link to Telegram', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        const text = typedFilter(filter)?.text;
        if (text === undefined) return void expect(filter.search).toMatch(/[é木]/);
        expect(parseFilterText(text)).toEqual({ ok: true, filter });
        const code = filterCode(filter);
        expect(filterOfCode(code)).toEqual(filter);
        expect(`fv:a9999:${code}`).toMatch(/^[\x20-\x7e]{1,60}$/);
        const link = filterLinkCode(filter);
        expect(filterOfCode(link)).toEqual(filter);
        expect(`r_${link}`).toMatch(/^[\w-]{1,64}$/);
      }),
    );
  });

  test.each(['w'.repeat(34), 'é'.repeat(12)])(
    'the longest words fit, in the largest filter: %s',
    (search) => {
      const text = `${CATEGORIES.join(' ')} min:100 usdc:999999999 type:cluster side:sell words ${search}`;
      const parsed = parseFilterText(text);
      expect(parsed).toMatchObject({ ok: true, filter: { search } });
      if (!parsed.ok) return;
      expect(`fv:a9999:${filterCode(parsed.filter)}`).toMatch(/^[\x20-\x7e]{55,60}$/);
      // core.telegram.org/bots/features#deep-linking
      expect(`r_${filterLinkCode(parsed.filter)}`).toMatch(/^[\w-]{50,64}$/);
      expect(parseFilterText(`words ${search}${search.charAt(0)}`).ok).toBe(false);
    },
  );

  test('the text of a button that is not a filter gives none', () => {
    const links = [
      '--_zz__',
      '--_2t__',
      '--___B',
      `--___${'w'.repeat(35)}`,
      '--___"a"',
      `--___B${'A'.repeat(4_000)}`,
    ];
    for (const code of ['', 'x', '9-___', '--zzz___', '--.2s..', 'delete_yes', ...links, '--__zzzzzz_'])
      expect(filterOfCode(code), code).toBeNull();
    expect(filterOfCode('--___')).toEqual({});
    expect(filterOfCode('--___BRmVk')).toEqual({ search: 'fed' });
  });

  test.each<LastingFilter>([
    { wallet: `0x${'aa'.repeat(20)}` },
    { market: 'will-it-rain', minScore: 60 },
    { category: 'tech', categories: ['crypto', 'world'] },
    { minScore: 60, aNewCondition: 1 } as LastingFilter,
    { minPosition: 0.5 },
    { minPosition: 1e21 },
    { minPosition: -5 },
    { search: 'w'.repeat(35) },
    { search: '“fed”' },
    { search: 'fed\u202erate' },
    { search: 'fed\nrate' },
    { search: ' ' },
  ])('a filter that cannot be typed has no text: %j', (filter) => {
    expect(typedFilter(filter)).toBeNull();
  });

  test('what is typed of a filter is in the words of the pages', () => {
    const filter: LastingFilter = {
      categories: ['crypto', 'pop_culture'],
      minScore: 60,
      minPosition: 500,
      type: 'fresh_accumulator',
      side: 'BUY',
      search: 'fed rate',
    };
    expect(typedFilter(filter)?.text).toBe(
      'crypto pop culture score 60 over $500 new wallet keeps buying buy words fed rate',
    );
    expect(typedFilter({})?.text).toBe('all');
  });

  test('words in capitals count as lower case, since both find the same', () => {
    const search = 'Will "X" win? min:60 words $(x)';
    const filter = { search: search.toLowerCase() };
    expect(typedFilter({ search })).toEqual({ text: `words ${search}`, filter });
  });
});
