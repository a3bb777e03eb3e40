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
