import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/core/alerts/log/log-entry.ts';
import { canonicalJson } from '../../../../src/core/base/text/canonical-json.ts';

const APPENDIX_B = `
  0000000000000000=0 8000000000000000=0 0000000000000001=5e-324 8000000000000001=-5e-324
  7fefffffffffffff=1.7976931348623157e+308 ffefffffffffffff=-1.7976931348623157e+308
  4340000000000000=9007199254740992 c340000000000000=-9007199254740992
  4430000000000000=295147905179352830000 44b52d02c7e14af5=9.999999999999997e+22 44b52d02c7e14af6=1e+23
  44b52d02c7e14af7=1.0000000000000001e+23 444b1ae4d6e2ef4e=999999999999999700000
  444b1ae4d6e2ef4f=999999999999999900000 444b1ae4d6e2ef50=1e+21 3eb0c6f7a0b5ed8c=9.999999999999997e-7
  3eb0c6f7a0b5ed8d=0.000001 41b3de4355555553=333333333.3333332 41b3de4355555554=333333333.33333325
  41b3de4355555555=333333333.3333333 41b3de4355555556=333333333.3333334
  41b3de4355555557=333333333.33333343 becbf647612f3696=-0.0000033333333333333333
  43143ff3c1cb0959=1424953923781206.2
`
  .trim()
  .split(/\s+/)
  .map((pair) => pair.split('=') as [string, string]);

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

  test.each(APPENDIX_B)('the number %s is written as appendix B shows', (hex, expected) => {
    expect(canonicalJson(doubleOf(hex))).toBe(expected);
  });

  test.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])(
    'the number %s is refused as appendix B demands',
    (hex) => {
      expect(() => canonicalJson([doubleOf(hex)])).toThrow(TypeError);
    },
  );
});

test.each([
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

function doubleOf(hex: string): number {
  return Buffer.from(hex, 'hex').readDoubleBE();
}

function reversed(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const entries = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(entries.reverse());
}

function positiveZero(value: Json): unknown {
  return JSON.parse(JSON.stringify(value));
}
