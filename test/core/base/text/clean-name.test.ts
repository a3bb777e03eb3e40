import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyName } from '../../../../src/core/accounts/keys/key-service.ts';
import { cleanName } from '../../../../src/core/base/text/escape.ts';

const WHOLE = `sk_live_${'aB3_-'.repeat(8)}xyz`;

describe('a name', () => {
  test.each([
    ['a right-to-left mark', 'bot\u200f', 'bot'],
    ['an override that turns text around', 'bot\u202ekcab', 'botkcab'],
    ['a byte order mark and spaces', ' \ufeff bot \u200b', 'bot'],
    ['a soft hyphen', 'bo\u00adt', 'bot'],
  ])('is kept without %s', (_what, given, name) => {
    expect(keyName(given)).toBe(name);
  });

  test.each([
    'مفتاح',
    'می\u200cخواهم',
    '👩\u200d💻',
    '❤\ufe0f',
    'नमस्ते',
    '\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}',
  ])('in any script, and of emoji, stays as it is: %s', (name) => {
    expect(keyName(name)).toBe(name);
  });

  test.each(['', '   ', '\u200f', '\u200d\u200c', '\ufe0f', '\u3164', '\u2800'])(
    'of which nothing can be seen is none: %j',
    (name) => {
      expect(keyName(name)).toBeNull();
    },
  );

  test.each(['two\nlines', 'a\u0007bell', 'half \ud800'])('with %j is none', (name) => {
    expect(keyName(name)).toBeNull();
  });

  test.each([
    ['alone', WHOLE],
    ['among words', `my ${WHOLE} key`],
    ['with characters around it', `x${WHOLE}y`],
    ['with spaces inside', `sk_live_ ${WHOLE.slice(8, 20)} ${WHOLE.slice(20)}`],
  ])('with the form of a whole key is none, %s', (_what, name) => {
    expect(keyName(name)).toBeNull();
  });

  test.each(['sk_live_', WHOLE.slice(0, -1)])('with the beginning of a key stays: %s', (name) => {
    expect(keyName(name)).toBe(name);
  });

  test('that was cleaned stays as it is, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cleanName(cleanName(text))).toBe(cleanName(text));
        expect(cleanName(text)).not.toMatch(/\p{Bidi_Control}/u);
      }),
    );
  });
});
