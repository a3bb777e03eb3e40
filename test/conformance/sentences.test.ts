import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SENTENCES } from './sentences.ts';

const COMMENT = /(?<=^|\s)\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const TITLE = /(?:\btest|\))\(\s*(SENTENCES\.\w+|`[^`]*`),/g;
const ROW = /\[\s*(SENTENCES\.\w+),/g;

/** The sentences in titles of tests, and at the beginning of the rows that tests are made from. */
function sentencesUsedIn(suite: string): Set<string> {
  const code = suite.replaceAll(COMMENT, '');
  const places = [...code.matchAll(TITLE), ...code.matchAll(ROW)].map(([, place = '']) => place);
  return new Set(
    places.flatMap((place) => [...place.matchAll(/SENTENCES\.(\w+)/g)].map(([, name = '']) => name)),
  );
}

test('every sentence listed in sentences.ts is used by a test', () => {
  const suites = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'));
  const used = sentencesUsedIn(
    suites.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n'),
  );
  expect(Object.keys(SENTENCES).filter((name) => !used.has(name))).toEqual([]);
});

test.each([
  ['test(SENTENCES.a, () => {})', ['a']],
  [`test(\`\${SENTENCES.a} \${SENTENCES.b} %s\`, () => {})`, ['a', 'b']],
  [`test.each(['x'])(\`\${SENTENCES.a} %s\`, () => {})`, ['a']],
  ["const rows = [\n  [SENTENCES.a, 'x'],\n  [\n    SENTENCES.b,\n    1,\n  ],\n];", ['a', 'b']],
  ['// test(SENTENCES.a, () => {})', []],
  ['/* [SENTENCES.a, 1] */', []],
  ["test('other', () => expect(SENTENCES.a).toBe(1))", []],
  ['test.skip(SENTENCES.a, () => {})', []],
])('a title or a row is a use, a comment or a line of a test is none: %j', (suite, used) => {
  expect([...sentencesUsedIn(suite)]).toEqual(used);
});
