import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tradeLine } from '../../../../src/infra/market/polymarket/trades/trade-line.ts';
import {
  cleanText,
  conditionIdOf,
  idSchema,
  isConditionId,
} from '../../../../src/infra/market/tapes/text-fields.ts';
import { V2_ID, V2_ID_OF_GAMMA, V2_POSITIONS } from '../../../support/polymarket/protocol-v2.ts';
import { parse, TODAY, wireMarket, wireTrade } from './source-fixture.ts';

/** Control characters, marks that turn the direction of text, and halves of surrogate pairs. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;
const ESCAPES = 'Will \u001B]0;PWNED\u0007\u001B[2Jit\u202E \u2066win?\r\nNo';
const CLEANED = 'Will ]0;PWNED[2Jit win? No';

const hostile = fc.constantFrom(
  ...['\u0000', '\u0007', '\t', '\r\n', '\u001B', '\u007F', '\u0085', '\u009B'],
  ...['\u202A', '\u202E', '\u2066', '\u2069', '\uD83D', '\uDE00', '😀', 'word', ' '],
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 700 }),
  fc.array(hostile, { maxLength: 700 }).map((parts) => parts.join('')),
);

describe('text of strangers', () => {
  test('holds no control character, no mark of direction and no half of a pair, and has at most 300 code points', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cleaned = cleanText(text);
        expect(cleaned).not.toMatch(FORBIDDEN);
        expect([...cleaned].length).toBeLessThanOrEqual(300);
        expect(cleanText(cleaned)).toBe(cleaned);
      }),
      { numRuns: 1_000 },
    );
  });

  test('that is harmless stays as it is', () => {
    const harmless = fc
      .array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), { maxLength: 300 })
      .map((parts) => parts.join(''))
      .filter((text) => !FORBIDDEN.test(text) && [...text].length <= 300);
    fc.assert(
      fc.property(harmless, (text) => {
        expect(cleanText(text)).toBe(text);
      }),
    );
    for (const text of ['', ' Привет — “мир” 👩‍👩‍👧 \u200F', 'é', '\u2028'])
      expect(cleanText(text)).toBe(text);
  });

  test.each([
    ['a tab becomes a space', 'one\ttwo', 'one two'],
    ['line breaks become one space', 'one\r\n\r\ntwo', 'one two'],
    ['the line break of C1 too', 'one\u0085two', 'one two'],
    ['other controls are removed', 'one\u001Btwo', 'onetwo'],
    ['halves make no pair over what is removed', '\uD83D\u202E\uDE00', ''],
    ['no pair is cut in two', '😀'.repeat(301), '😀'.repeat(300)],
    ['a terminal is steered by nothing', ESCAPES, CLEANED],
  ])('%s', (_name, text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });
});

describe('is cleaned where rows come in', () => {
  test('in a trade', () => {
    const title = `${ESCAPES}${'x'.repeat(100_000)}`;
    expect(parse(wireTrade({ title, slug: 'a\u001Bb', outcome: 'Yes\u202E' }))).toMatchObject({
      trade: { slug: 'ab', outcome: 'Yes', title: expect.stringMatching(/^.{300}$/) },
    });
  });

  test('in a market, whose category comes from the cleaned text', () => {
    const outcomes = JSON.stringify(['Yes\u202E', 'No\u0007']);
    const tags = [{ slug: 'Pol\u001Bitics' }];
    expect(parse(wireMarket({ question: ESCAPES, slug: 'a\u001Bb', outcomes, tags }))).toMatchObject({
      market: {
        ...{ question: CLEANED, slug: 'ab', outcomes: ['Yes', 'No'] },
        ...{ tags: ['politics'], category: 'politics' },
      },
    });
    expect(parse(wireMarket({ question: '\u001B\u202E' }))).toMatchObject({ kind: 'bad' });
  });
});

describe('the id of a market', () => {
  test('is in lower case, and once read stays as it is', () => {
    const digits = fc.oneof(
      fc.stringMatching(/^0[xX][0-9a-fA-F]{62}$/),
      fc.stringMatching(/^0[xX][0-9a-fA-F]{64}$/),
      fc.string(),
    );
    fc.assert(
      fc.property(digits, (text) => {
        const id = conditionIdOf(text);
        expect(id).toBe(id.toLowerCase());
        expect(conditionIdOf(id)).toBe(id);
        expect(isConditionId(id)).toBe(/^0x(?:[0-9a-f]{62}|[0-9a-f]{64})$/i.test(text));
      }),
    );
  });
});

describe('a row of a tape', () => {
  test('names a Protocol V2 market by one id, whichever width it was written in', () => {
    const ids = [V2_ID, V2_ID_OF_GAMMA, V2_ID_OF_GAMMA.toUpperCase().replace('0X', '0x')];
    for (const conditionId of ids) {
      expect(parse(wireTrade({ conditionId }))).toMatchObject({ trade: { marketId: V2_ID } });
      expect(parse(wireMarket({ conditionId }))).toMatchObject({ market: { id: V2_ID } });
    }
  });

  test.each([
    ['v2', null, V2_POSITIONS, V2_POSITIONS],
    ['v2', ['1', '2'], V2_POSITIONS, V2_POSITIONS],
    ['v2', ['1', '2'], null, []],
    ['v1', '["1","2"]', V2_POSITIONS, ['1', '2']],
    [undefined, null, JSON.stringify(V2_POSITIONS), V2_POSITIONS],
    [undefined, ['1', '2'], undefined, ['1', '2']],
  ])(
    'of version %j with token ids %j and positions %j has the tokens %j',
    (version, clobTokenIds, positionIds, tokenIds) => {
      expect(parse(wireMarket({ version, clobTokenIds, positionIds }))).toMatchObject({
        market: { tokenIds },
      });
    },
  );
});

test('an id has 1 to 100 printable ASCII characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
      const isId =
        text.length >= 1 && text.length <= 100 && [...text].every((one) => one > ' ' && one < '\u007F');
      expect(idSchema.safeParse(text).success).toBe(isId);
    }),
  );
});

/** It would steer a terminal and turn the text of a channel post. */
const HOSTILE = '0x\u001B[2J\u202E\u0007';

test.each([
  ...['proxyWallet', 'asset', 'conditionId', 'transactionHash'].map((field) => [
    field,
    wireTrade({ [field]: HOSTILE }),
  ]),
  ['conditionId', wireMarket({ conditionId: HOSTILE })],
  ['clobTokenIds.1', wireMarket({ clobTokenIds: JSON.stringify(['1', HOSTILE]) })],
  ['positionIds.0', wireMarket({ positionIds: [HOSTILE, '2'] })],
  ['proxyWallet', { proxyWallet: HOSTILE, createdAt: '2026-01-01T00:00:00Z' }],
])('a row whose %s is no id is bad, and names the field', (detail, row) => {
  expect(parse(row)).toEqual({ kind: 'bad', reason: 'wrong_type', detail });
});

test('an id that is no use is not read leniently either', () => {
  const row = wireTrade({ asset: HOSTILE });
  expect(tradeLine(row, TODAY, { isLenient: true })).toMatchObject({ kind: 'bad', detail: 'asset' });
});
