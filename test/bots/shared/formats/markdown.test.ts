import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pressOf, toMessage, toPlainMessage } from '../../../../bots/discord/screen-message.ts';
import { escapeMarkdown, toMarkdown } from '../../../../bots/shared/formats/markdown.ts';
import { plainScreen, plainText, type Screen, type TextSpan } from '../../../../bots/shared/screen.ts';
import { problemOf, readMarkdown } from '../../../support/chat/discord-rules.ts';

const signs = fc.string({ unit: fc.constantFrom(...'ab 1.#->*_~|`\\[]()<>@:/+\n'), maxLength: 30 });
const word = fc.string({ unit: fc.constantFrom(...'ab*_~|`\\[]()<>@'), minLength: 1, maxLength: 12 });
const code = fc
  .string({ unit: fc.constantFrom(...'a`_*\\'), minLength: 1, maxLength: 12 })
  .filter((text) => /[^`]/.test(text));
const span: fc.Arbitrary<TextSpan> = fc.oneof(
  signs,
  word.map((bold) => ({ bold })),
  word.map((italic) => ({ italic })),
  code.map((text) => ({ code: `a ${text} b` })),
);

describe('text on Discord', () => {
  test('whatever it holds, a person reads what the screen says', () => {
    fc.assert(
      fc.property(fc.array(fc.array(span, { maxLength: 4 }), { maxLength: 3 }), (paragraphs) => {
        // Neighbours are kept apart: two runs of marks next to each other are not what screens are made of.
        const body = paragraphs.map((paragraph) => paragraph.flatMap((piece) => [piece, ' · ']));
        expect(readMarkdown(toMarkdown(body, 100_000))).toBe(plainText({ body }));
      }),
    );
  });

  test.each([
    ['a mention', '@everyone <@123> <#456>', '\\@everyone \\<\\@123\\> \\<#456\\>'],
    ['a heading', '# big', '\\# big'],
    ['a list', '- one\n1. two', '\\- one\n1\\. two'],
    ['a quote', '> he said', '\\> he said'],
    ['a link', '[free](https://evil.example)', '\\[free\\]\\(<https://evil.example>\\)'],
    ['an address', 'see https://a.example/x_y_z.', 'see <https://a.example/x_y_z>.'],
  ])('%s is plain text, without a preview', (_, text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });

  test('backticks in code are kept', () => {
    expect(toMarkdown([[{ code: 'a`b' }]], 100)).toBe('``a`b``');
    expect(toMarkdown([[{ code: '`a`' }]], 100)).toBe('`` `a` ``');
    expect(toMarkdown([[{ code: 'curl\n-v' }]], 100)).toBe('```\ncurl\n-v\n```');
  });

  test('a link whose text has another address is text, so that neither has a preview', () => {
    expect(toMarkdown([[{ link: 'https://a.example/1', text: 'see https://evil.example/x' }]], 100)).toBe(
      'see <https://evil.example/x> \\(<https://a.example/1>\\)',
    );
  });

  test('a link that is not a web address is text', () => {
    expect(toMarkdown([[{ link: 'javascript:alert(1)', text: 'here' }]], 100)).toBe(
      'here \\(javascript:alert\\(1\\)\\)',
    );
  });

  test('what is longer than 2,000 characters is cut, never within a mark or an escape', () => {
    fc.assert(
      fc.property(fc.array(fc.array(span, { minLength: 1 }), { minLength: 200, maxLength: 200 }), (body) => {
        const { content } = toMessage({ ...plainScreen('long', [], []), body });
        expect(content.length).toBeLessThanOrEqual(2_000);
        expect(content).not.toMatch(/(^|[^\\])(\\\\)*\\$/);
      }),
      { numRuns: 30 },
    );
    expect(toMarkdown([['😀'.repeat(30)]], 20)).toBe(`${'😀'.repeat(9)} …`);
  });
});

describe('a screen on Discord', () => {
  const button = fc.oneof(
    fc.record({
      label: fc.string({ minLength: 1, maxLength: 120, size: 'max' }),
      action: fc.string({ unit: fc.constantFrom(...'abc:_1'), minLength: 1, maxLength: 60 }),
    }),
    fc.record({
      label: fc.string({ minLength: 1, maxLength: 120, size: 'max' }),
      url: fc.constantFrom('https://a.example/x', 'ftp://a.example', `https://a.example/${'x'.repeat(600)}`),
    }),
  );
  const screens: fc.Arbitrary<Screen> = fc.record({
    name: fc.constant('any'),
    body: fc.constant([['Text']]),
    buttons: fc.array(fc.array(button, { maxLength: 8 }), { maxLength: 9 }),
    preview: fc.constantFrom(null, { page: 'https://a.example/1', picture: 'https://a.example/1.png' }),
    isSilent: fc.boolean(),
    removesMessage: fc.constant(false),
    secret: fc.constant(null),
    ask: fc.option(fc.record({ action: fc.constant('ask_it'), label: fc.string({ minLength: 1 }) })),
    repeated: fc.constant(null),
  });

  test('Discord takes it, whatever its buttons are: rows, lengths and ids are as it wants them', () => {
    fc.assert(
      fc.property(screens, (screen) => {
        expect(problemOf(toMessage(screen))).toBeNull();
        expect(problemOf(toPlainMessage(screen))).toBeNull();
      }),
    );
  });

  test('a press gives back the action of its button, in a menu too', () => {
    const rows = Array.from({ length: 8 }, (_, row) => [
      { label: `Key ${row}`, action: `manage:key_${row}` },
      { label: 'Docs', url: 'https://a.example' },
    ]);
    const parts = toMessage(plainScreen('keys', ['Keys'], rows)).components.flatMap((row) => row.components);
    const menu = parts.find((part) => 'options' in part);
    expect(menu?.options.map(({ value }) => pressOf(value, ''))).toEqual(
      rows.map(([first]) => ({ kind: 'tap', action: first && 'action' in first ? first.action : '' })),
    );
    expect(pressOf('other:thing', '')).toBeNull();
  });

  test('as plain text, the addresses of its buttons are written out', () => {
    const screen = plainScreen('docs', ['Read.'], [[{ label: 'Docs', url: 'http://localhost:8080/docs' }]]);
    expect(toPlainMessage(screen)).toEqual({
      content: 'Read.\n\n\nDocs: <http://localhost:8080/docs>',
      components: [],
      embeds: [],
    });
  });
});
