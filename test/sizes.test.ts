import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow } from './support/code/imports.ts';
import { fileLines, longFunctions, MAX_FILE_LINES, MAX_FUNCTION_LINES } from './support/code/sizes.ts';
import { readSources } from './support/code/sources.ts';

const ROOT = join(import.meta.dirname, '..');
const COUNTED = /\.(?:ts|css|js|mjs|py)$/;

/**
 * Lines that a folder may have. A change lowers them to what it reaches; a commit of its own that says what users get for it raises one.
 * Code is never made denser to fit.
 */
const BUDGETS: Readonly<Record<string, number>> = {
  'src/cli': 2_514,
  'src/config': 571,
  'src/core/accounts': 1_953,
  'src/core/alerts': 5_528,
  'src/core/base': 1_540,
  'src/core/chat': 3_355,
  'src/core/delivery': 3_205,
  'src/core/detection': 3_492,
  'src/core/follow': 2_339,
  'src/core/ingest': 2_530,
  'src/core/operations': 627,
  'src/core/record': 1_225,
  'src/core/trades': 1_819,
  'src/http/documents': 724,
  'src/http/hooks': 1_066,
  'src/http/query': 526,
  'src/http/routes': 2_145,
  'src/http/schemas': 576,
  'src/http/stream': 540,
  'src/http/views': 2_194,
  'src/infra/cards': 240,
  'src/infra/database': 2_404,
  'src/infra/market': 6_990,
  'src/infra/outgoing': 791,
  'src/infra/process': 179,
  'src/infra/secrets': 151,
  'src/infra/telemetry': 531,
  'src/mcp': 633,
  'src/site': 5_297,
  'src/wiring': 2_765,
  'bots/admin': 1_499,
  'bots/discord': 1_547,
  'bots/shared': 5_175,
  'bots/telegram': 1_920,
  'bots/terminal': 282,
  jobs: 390,
  scripts: 3_529,
  test: 74_901,
};

const TOTALS = { product: 70_394, files: 680, words: 69_737 } as const;

/** What a subject has of `.ts` lines, in whatever folders it lies. */
const GROUPS: Readonly<Record<string, { readonly paths: readonly string[]; readonly most: number }>> = {
  storage: { paths: ['src/infra/database/'], most: 2_404 },
  ledger: {
    paths: [
      'src/core/alerts/',
      'src/cli/verify',
      'src/http/routes/events',
      'src/http/routes/outcomes',
      'src/http/routes/exits',
      'src/http/views/log-view',
      'src/http/views/outcome-view',
      'src/http/views/exit-view',
    ],
    most: 6_231,
  },
  detection: { paths: ['src/core/detection/', 'src/core/ingest/'], most: 6_022 },
  market: {
    paths: ['src/infra/market/', 'src/core/trades/', 'src/http/views/coverage-view', 'src/wiring/coverage'],
    most: 9_132,
  },
  delivery: {
    paths: [
      'src/core/delivery/webhooks/',
      'src/core/chat/',
      'src/core/follow/',
      'src/infra/outgoing/',
      'bots/shared/posts/',
      'bots/shared/formats/',
    ],
    most: 9_984,
  },
};

function linesIn(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + fileLines(readFileSync(join(ROOT, file), 'utf8')), 0);
}

const product = ['src', 'bots', 'jobs'].flatMap((folder) => filesBelow(folder, ROOT, COUNTED));

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

  test.each(Object.entries(BUDGETS))('%s has at most %i lines', (folder, most) => {
    expect(linesIn(filesBelow(folder, ROOT, COUNTED))).toBeLessThanOrEqual(most);
  });

  test('every folder of the product has a budget', () => {
    const hasBudget = (file: string) => Object.keys(BUDGETS).some((folder) => file.startsWith(`${folder}/`));
    const isAbove = (file: string) => /^src\/(?:core\/|http\/)?[\w-]+\.ts$/.test(file);
    expect(product.filter((file) => !hasBudget(file) && !isAbove(file))).toEqual([]);
  });

  test(`the product has at most ${TOTALS.product} lines in ${TOTALS.files} files`, () => {
    expect(linesIn(product)).toBeLessThanOrEqual(TOTALS.product);
    expect(product.filter((file) => file.endsWith('.ts')).length).toBeLessThanOrEqual(TOTALS.files);
  });

  test.each(Object.entries(GROUPS))('the code of %s is within its budget', (_name, { paths, most }) => {
    const files = product.filter(
      (file) => file.endsWith('.ts') && paths.some((path) => file.startsWith(path)),
    );
    expect(linesIn(files)).toBeLessThanOrEqual(most);
  });

  test(`the documents have at most ${TOTALS.words} words`, () => {
    const pages = [
      ...filesBelow('docs', ROOT, /\.md$/),
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
    ];
    const words = pages.flatMap((page) => readFileSync(join(ROOT, page), 'utf8').match(/\S+/g) ?? []);
    expect(words.length).toBeLessThanOrEqual(TOTALS.words);
  });
});
