import { describe, expect, test } from 'vitest';
import { parseCsv } from '../../../../scripts/csv.ts';
import { describeMarket, questionOf } from '../../../../scripts/midterms-markets.ts';

describe('questions made of market names', () => {
  test.each([
    ['georgia_senate', 'Georgia Senate 2022: which party wins?'],
    ['new_york_governor', 'New York Governor 2022: which party wins?'],
    ['ca_22_house', "California's 22nd District (House) 2022: which party wins?"],
    ['mi_07_house', "Michigan's 7th District (House) 2022: which party wins?"],
    ['us_house_overall', 'US House control after the 2022 midterms: which party wins?'],
    [
      'democratic_house_and_democratic_senate',
      'Will Democrats win both the House and the Senate in the 2022 midterms?',
    ],
    [
      'democratic_house_and_republican_senate',
      'Will Democrats win the House and Republicans the Senate in the 2022 midterms?',
    ],
  ])('%s: %s', (name, question) => {
    expect(questionOf(name)).toBe(question);
  });

  test.each(['mayor', 'zz_01_house'])('%s is refused rather than guessed', (name) => {
    expect(() => questionOf(name)).toThrow(/no question can be made|has no name yet/);
  });

  test('Yes comes before No, and each outcome has a token id of its own', () => {
    const market = describeMarket('republican_house_and_democratic_senate', ['No', 'Yes']);
    expect(market.outcomes).toEqual(['Yes', 'No']);
    expect(market.slug).toBe('will-republicans-win-the-house-and-democrats-the-senate-in-the-2022-midterms');
    expect(new Set(market.tokenIds).size).toBe(2);
    expect(market.conditionId).toMatch(/^0x[0-9a-f]{64}$/);
  });
});

describe('CSV', () => {
  test('fields may be quoted, empty, and hold commas, quotes and line ends', () => {
    expect(parseCsv('a,b\r\n"x, ""y""\n",2\n,3')).toEqual([
      { a: 'x, "y"\n', b: '2' },
      { a: '', b: '3' },
    ]);
  });

  test('a row of another length than the header is refused', () => {
    expect(() => parseCsv('a,b\n1\n')).toThrow(/row 1 has 1 fields, the header names 2/);
  });
});
