import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/core/alerts/log/log-entry.ts';
import { canonicalJson } from '../../../../src/core/base/text/canonical-json.ts';

describe('the examples of RFC 8785', () => {
  test('primitives are written as section 3.2.2 shows', () => {
    const input = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;

    expect(canonicalJson(JSON.parse(input))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test('members are sorted as section 3.2.3 shows: by UTF-16 code units, not by code points', () => {
    const input = String.raw`{
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }`;

    const sorted = canonicalJson(JSON.parse(input)).match(/(?<=:")[^"]+/g);

    expect(sorted).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });
});

test.each([
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['undefined', undefined],
  ['an undefined member', { a: undefined }],
  ['a hole', new Array(2)],
  ['half of a surrogate pair', '\ud83d'],
  ['half of a surrogate pair in a name', { '\ude00': 1 }],
  ['a bigint', 1n],
  ['a function', () => 1],
  ['a date', new Date(0)],
  ['a map', new Map([['a', 1]])],
])('%s is refused instead of being written as something else', (_, value) => {
  expect(() => canonicalJson(value)).toThrow(TypeError);
});

const json = fc.jsonValue({ noUnicodeString: false, depthSize: 'medium' }).map((value) => value as Json);

test('what is read back equals what was written', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(positiveZero(value));
    }),
  );
});

test('the text does not depend on the order in which members were added', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
    }),
  );
});

function reversed(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const entries = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(entries.reverse());
}

function positiveZero(value: Json): unknown {
  return JSON.parse(JSON.stringify(value));
}
