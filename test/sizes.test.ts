import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow } from './support/code/imports.ts';
import { fileLines, longFunctions, MAX_FILE_LINES, MAX_FUNCTION_LINES } from './support/code/sizes.ts';
import { readSources } from './support/code/sources.ts';

const ROOT = join(import.meta.dirname, '..');

describe('sizes', () => {
  test(`no file is above ${MAX_FILE_LINES} lines`, () => {
    const long = ['src', 'bots', 'jobs', 'scripts', 'test']
      .flatMap((folder) => filesBelow(folder))
      .map((file) => ({ file, lines: fileLines(readFileSync(join(ROOT, file), 'utf8')) }))
      .filter(({ lines }) => lines > MAX_FILE_LINES);

    expect(
      long.map(
        ({ file, lines }) =>
          `${file}:${MAX_FILE_LINES + 1}: the file has ${lines} lines, above ${MAX_FILE_LINES}: split it by subject`,
      ),
    ).toEqual([]);
  });

  test(`no function is above ${MAX_FUNCTION_LINES} lines`, () => {
    expect(
      readSources()
        .flatMap(longFunctions)
        .map(
          ({ file, line, name, lines }) =>
            `${file}:${line}: ${name} has ${lines} lines, above ${MAX_FUNCTION_LINES}: split it, or make its state a class`,
        ),
    ).toEqual([]);
  });
});
