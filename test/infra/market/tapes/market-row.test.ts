import { describe, expect, test } from 'vitest';
import { parse as parseRow, wireMarket } from './source-fixture.ts';

const parse = (given: Record<string, unknown> = {}) => parseRow(wireMarket(given));
function marketOf(given: Record<string, unknown> = {}) {
  const row = parse(given);
  if (row.kind !== 'market') throw new Error(`no market row: ${JSON.stringify(row)}`);
  return row.market;
}

describe('market: known by `question`', () => {
  test('carries what Gamma says of it', () => {
    expect(parse({ at: 1_667_833_200, volume24hr: 1_200.5 })).toEqual({
      kind: 'market',
      at: 1_667_833_200_000,
      market: {
        id: '0xm1',
        question: 'Will the measure pass?',
        slug: 'will-the-measure-pass',
        eventSlug: 'measures',
        outcomes: ['Yes', 'No'],
        tokenIds: ['1001', '1002'],
        category: 'politics',
        tags: ['politics'],
        endsAt: Date.UTC(2022, 10, 8),
        volume24h: 1_200.5,
        payouts: null,
      },
    });
  });

  test('lists are arrays or JSON text in a string', () => {
    const arrays = { outcomes: ['A', 'B'], clobTokenIds: ['7', '8'], outcomePrices: [1, 0], closed: true };
    const texts = { outcomes: '["A","B"]', clobTokenIds: '["7","8"]', outcomePrices: '[1,0]', closed: true };
    expect(marketOf(arrays)).toEqual(marketOf(texts));
    expect(marketOf(arrays)).toMatchObject({ outcomes: ['A', 'B'], tokenIds: ['7', '8'], payouts: [1, 0] });
  });

  test('what Gamma may leave out may be null or absent', () => {
    const names = [
      ...['clobTokenIds', 'outcomePrices', 'endDate', 'category', 'tags', 'events', 'closed'],
      ...['volume24hr', 'at'],
    ];
    for (const nothing of [null, undefined])
      expect(parse(Object.fromEntries(names.map((name) => [name, nothing]))).kind).toBe('market');
  });

  test.each([
    [{ conditionId: undefined }, 'missing_field'],
    [{ question: '' }, 'missing_field'],
    [{ outcomes: undefined }, 'missing_field'],
    [{ outcomes: 'Yes, No' }, 'wrong_type'],
    [{ outcomes: [1, 2] }, 'wrong_type'],
    [{ clobTokenIds: [1001, 1002] }, 'wrong_type'],
    [{ closed: 'true' }, 'wrong_type'],
    [{ tags: 'politics' }, 'wrong_type'],
  ])('%j is dropped as %s', (given, reason) => {
    expect(parse(given)).toMatchObject({ kind: 'bad', reason });
  });

  test.each(['NaN', '', -1])('a volume of %j is not known', (volume24hr) => {
    expect(marketOf({ volume24hr }).volume24h).toBeNull();
  });

  test('the event is the first that it names', () => {
    const events = [{ slug: 'sen\u0000ate' }, { slug: 'house' }, 'other'];
    expect(marketOf({ events })).toMatchObject({ eventSlug: 'senate' });
  });

  test('no market is lost for events that say nothing', () => {
    const odd = [null, [], 'senate', ['senate'], [{}], [{ slug: '' }], [{ slug: 7 }]];
    for (const events of odd) expect(marketOf({ events })).toMatchObject({ id: '0xm1', eventSlug: null });
  });

  test('token ids that do not pair with the outcomes count as unknown', () => {
    expect(marketOf({ clobTokenIds: '["1001"]' }).tokenIds).toEqual([]);
  });

  test.each([
    ['2022-11-08', Date.UTC(2022, 10, 8)],
    ['2022-11-08T12:00:00.5Z', Date.UTC(2022, 10, 8, 12, 0, 0, 500)],
    ['2022-11-08 13:33:17+00', Date.UTC(2022, 10, 8, 13, 33, 17)],
    ['2022-11-08T13:33:17-0530', Date.UTC(2022, 10, 8, 19, 3, 17)],
    ['2022-11-08T12:00:00', Date.UTC(2022, 10, 8, 12)],
    ['election day', null],
    ['2022-13-45T00:00:00Z', null],
  ])('the end %j is %s, in UTC where no zone is named', (endDate, endsAt) => {
    expect(marketOf({ endDate }).endsAt).toBe(endsAt);
  });
});

describe('resolution', () => {
  const settled = (prices: unknown, more: Record<string, unknown> = {}) =>
    marketOf({ closed: true, outcomePrices: prices, ...more }).payouts;

  test.each(['["1","0"]', '["0", "1.0"]', '[0.5,0.5]'])(
    '`closed` true and prices %s are payouts',
    (prices) => {
      const payouts = (JSON.parse(prices) as unknown[]).map(Number);
      expect(settled(prices)).toEqual(payouts);
      expect(settled(prices, { umaResolutionStatus: 'resolved' })).toEqual(payouts);
    },
  );

  test.each([
    ['0.9995', ['0.9995', '0.0005']],
    ['all zero', ['0', '0']],
    ['two winners', ['1', '1']],
    ['no numbers', ['won', 'lost']],
    ['empty texts', ['1', '']],
    ['one price', ['1']],
    ['more prices than outcomes', ['1', '0', '0']],
    ['no prices', null],
  ])('anything else does not resolve: %s', (_name, prices) => {
    expect(settled(prices)).toBeNull();
  });

  test('what its resolution paid counts instead of prices if it is a whole', () => {
    for (const resolvedPayouts of [
      [0.7, 0.3],
      [0.333333, 0.666667],
    ])
      expect(settled(['1', '0'], { resolvedPayouts })).toEqual(resolvedPayouts);
    for (const resolvedPayouts of [
      [0.7, 0.2],
      [1.2, -0.2],
      [1, 0, 0],
      ['x', 1],
    ])
      expect(settled(['1', '0'], { resolvedPayouts })).toBeNull();
    expect(settled(['1', '0'], { resolvedPayouts: [0.7, 0.3], closed: false })).toBeNull();
  });

  test.each(['proposed', 'disputed'])('a status of %s does not resolve', (umaResolutionStatus) => {
    expect(settled(['1', '0'], { umaResolutionStatus })).toBeNull();
  });

  test('a market that is not closed does not resolve', () => {
    expect(settled(['1', '0'], { closed: false })).toBeNull();
  });

  test('of three outcomes exactly one pays 1', () => {
    expect(settled(['0', '1', '0'], { outcomes: ['A', 'B', 'C'] })).toEqual([0, 1, 0]);
    expect(settled(['0.5', '0.5', '0'], { outcomes: ['A', 'B', 'C'] })).toBeNull();
  });
});
