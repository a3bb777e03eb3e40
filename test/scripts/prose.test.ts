import { describe, expect, test } from 'vitest';
import { proseHits, proseHitText } from '../../scripts/code/prose.ts';
import { PROSE_RULES } from '../../scripts/code/prose-rules.ts';

const foundIn = (file: string, text: string) =>
  proseHits(file, text).map(({ line, found }) => `${line} ${found}`);

describe('proseHits', () => {
  test('names file, line, what was found and what to write instead', () => {
    const [hit] = proseHits('docs/a.md', 'One.\n\nNobody knows.\n');
    expect(hit && proseHitText(hit)).toBe(
      'docs/a.md:3: “Nobody”: write name the subject: no process, no client, another user',
    );
  });

  test('finds a pattern that is broken across lines, in a document and in a comment', () => {
    expect(foundIn('a.md', 'kept for\ngood')).toEqual(['1 for good']);
    expect(foundIn('a.ts', '/**\n * Is kept for\n * good.\n */\nexport const a = 1;\n')).toEqual([
      '2 for good',
    ]);
  });

  test('leaves out code in a document, and what scripts generate', () => {
    const text = '```sh\nat once\n```\n`at once`\n<!-- shown -->\nat once\n<!-- /shown -->\nat once\n';
    expect(foundIn('a.md', text)).toEqual(['8 at once']);
  });

  test('reads comments, strings and templates of a program, and not its identifiers', () => {
    const text = [
      "import { nobody } from './somebody.ts';",
      '// It goes on.',
      "const a = 'it is to be sent';",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: The text of a program.
      'const b = `${nobody} goes on ${a} at once`;',
      'const c = { nobody, `at once` } // `at once` at once',
    ].join('\n');
    expect(foundIn('a.ts', text)).toEqual([
      '2 goes on',
      '3 is to be',
      '4 goes on',
      '4 at once',
      '5 at once',
      '5 at once',
    ]);
  });

  test('reads the comment lines of any other file', () => {
    expect(foundIn('.env.example', '# at once\nA=at once\n')).toEqual(['1 at once']);
  });

  test('ordinary words are no hits', () => {
    const text =
      'A good reason, some bodies, foretold, hours, once, bystanders, understands on Monday, forever.';
    expect(foundIn('a.md', text)).toEqual([]);
  });

  test('every rule has a pattern that finds all its places, whatever their case', () => {
    for (const { pattern } of PROSE_RULES) expect(pattern.flags).toBe('gi');
  });
});
