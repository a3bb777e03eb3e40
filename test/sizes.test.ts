import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow } from '../scripts/code/imports.ts';
import { fileLines, longFunctions, MAX_FILE_LINES, MAX_FUNCTION_LINES } from '../scripts/code/sizes.ts';
import { readSources } from '../scripts/code/sources.ts';
import { LONG_FUNCTIONS, LONG_TEST_FILES } from './support/oversized.ts';

const ROOT = join(import.meta.dirname, '..');
const LISTS = 'test/support/oversized.ts';

describe('sizes', () => {
  test(`no file is above ${MAX_FILE_LINES} lines; of the tests those of a list that only shrinks may be`, () => {
    const long = ['src', 'bots', 'jobs', 'scripts', 'test']
      .flatMap((folder) => filesBelow(folder))
      .map((file) => ({ file, lines: fileLines(readFileSync(join(ROOT, file), 'utf8')) }))
      .filter(({ lines }) => lines > MAX_FILE_LINES);
    const added = long.filter(({ file }) => !LONG_TEST_FILES.includes(file));
    const gone = LONG_TEST_FILES.filter((file) => !long.some((other) => other.file === file));

    expect([
      ...added.map(
        ({ file, lines }) =>
          `${file}:${MAX_FILE_LINES + 1}: the file has ${lines} lines, above ${MAX_FILE_LINES}: split the file by subject`,
      ),
      ...gone.map((file) => `${file}: no longer above ${MAX_FILE_LINES} lines: remove it from ${LISTS}`),
    ]).toEqual([]);
  });

  test(`no function is above ${MAX_FUNCTION_LINES} lines but those of a list that only shrinks`, () => {
    const long = readSources()
      .flatMap(longFunctions)
      .map((found) => ({ ...found, id: `${found.file} ${found.name}` }));
    const added = long.filter(({ id }) => !LONG_FUNCTIONS.includes(id));
    const gone = LONG_FUNCTIONS.filter((id) => !long.some((other) => other.id === id));

    expect([
      ...added.map(
        ({ file, line, name, lines }) =>
          `${file}:${line}: ${name} has ${lines} lines, above ${MAX_FUNCTION_LINES}: split it, or make its state a class`,
      ),
      ...gone.map((id) => `${id}: no longer above ${MAX_FUNCTION_LINES} lines: remove it from ${LISTS}`),
    ]).toEqual([]);
  });

  test('the lists of what is oversized name each once, in order, and files of tests alone', () => {
    for (const list of [LONG_TEST_FILES, LONG_FUNCTIONS]) expect(list).toEqual([...new Set(list)].sort());
    expect(LONG_TEST_FILES.filter((file) => !file.startsWith('test/'))).toEqual([]);
  });
});
