import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const ROOMS = ['src', 'bots', 'jobs'];
const MAX_LINES = 250;

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
}

const rooms = ROOMS.filter((room) => readdirSync(ROOT).includes(room));
const sources = new Map(
  rooms.flatMap(filesBelow).map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
);

/** What a file names in `from '…'`, `import('…')` and `import '…'`. */
function specifiersOf(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(
    ([, specifier]) => specifier as string,
  );
}

function importsOf(file: string): string[] {
  return specifiersOf(sources.get(file) ?? '')
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file), specifier)));
}

/** The room of a file: `core`, `http`, … below src, else the top folder; files at the top of src are rooms of one. */
function roomOf(file: string): string {
  const [top, second, third] = file.split('/');
  if (top !== 'src') return top as string;
  return third === undefined ? (second as string).replace('.ts', '') : (second as string);
}

/** Whom a room may import, itself apart. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: [],
  infra: ['core'],
  http: ['core'],
  bots: ['core'],
  jobs: ['core'],
  config: ['core', 'infra'],
  wiring: ['core', 'infra', 'http', 'bots', 'jobs', 'config'],
  container: ['core', 'infra', 'wiring', 'config', 'jobs'],
  cli: ['core', 'infra', 'config', 'container', 'wiring', 'bots', 'main'],
  main: ['config', 'container', 'core', 'infra'],
};

describe('architecture', () => {
  test('imports run one way: core ← infra, http, bots, jobs ← container ← main', () => {
    const wrong = [...sources.keys()].flatMap((file) =>
      importsOf(file)
        .filter(
          (target) => roomOf(target) !== roomOf(file) && !ALLOWED[roomOf(file)]?.includes(roomOf(target)),
        )
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('core imports nothing outside core but three packages that touch nothing outside the process', () => {
    const outside = [...sources.keys()]
      .filter((file) => file.startsWith('src/core/'))
      .flatMap((file) => specifiersOf(sources.get(file) ?? '').map((specifier) => `${file} → ${specifier}`))
      .filter((arrow) => !/ → (?:\.|(?:lru-cache|p-limit|yocto-queue)$)/.test(arrow));
    expect(outside).toEqual([]);
  });

  test('every import leads to a file that is there', () => {
    const missing = [...sources.keys()].flatMap((file) =>
      importsOf(file)
        .filter((target) => !sources.has(target))
        .map((target) => `${file} → ${target}`),
    );
    expect(missing).toEqual([]);
  });

  test('no circle of imports', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const target of importsOf(file)) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of sources.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });

  test('no circle of folders in core', () => {
    const folderOf = (file: string) => file.match(/^src\/core\/([^/]+)\//)?.[1] ?? '.';
    const arrows = new Map<string, Set<string>>();
    for (const file of [...sources.keys()].filter((name) => name.startsWith('src/core/'))) {
      const targets = arrows.get(folderOf(file)) ?? new Set();
      arrows.set(folderOf(file), targets);
      for (const target of importsOf(file))
        if (folderOf(target) !== folderOf(file)) targets.add(folderOf(target));
    }
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (folder: string, path: readonly string[]): void => {
      if (path.includes(folder)) circles.push([...path.slice(path.indexOf(folder)), folder].join(' → '));
      if (done.has(folder) || path.includes(folder)) return;
      for (const target of arrows.get(folder) ?? []) visit(target, [...path, folder]);
      done.add(folder);
    };
    for (const folder of arrows.keys()) visit(folder, []);
    expect(circles).toEqual([]);
  });

  test(`files fit a screen or two: none above ${MAX_LINES} lines, half of them at most 80`, () => {
    const lines = [...sources].map(([file, text]) => [file, text.split('\n').length - 1] as const);
    expect(lines.filter(([, count]) => count > MAX_LINES)).toEqual([]);
    const sorted = lines.map(([, count]) => count).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(80);
  });

  test('every export of core says what it is for', () => {
    const silent = [...sources]
      .filter(([file]) => file.startsWith('src/core/'))
      .flatMap(([file, text]) => {
        const lines = text.split('\n');
        return lines
          .map((line, index) => ({ line, before: lines[index - 1] ?? '', place: `${file}:${index + 1}` }))
          .filter(({ line }) => /^export (?!(type )?\{)/.test(line) && !isConstructorOptions(line))
          .filter(
            ({ line, before }) => !before.trimEnd().endsWith('*/') && !isTypeOfConstantAbove(line, before),
          )
          .map(({ place }) => place);
      });
    expect(silent).toEqual([]);
  });

  test('every dependency is pinned exactly', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});

/** `export type X = (typeof XS)[number]` right below its documented constant needs no second comment. */
/** Its class says what it is for, its members what each is. */
function isConstructorOptions(line: string): boolean {
  return /^export interface \w+(?:Deps|Options)\b/.test(line);
}

function isTypeOfConstantAbove(line: string, before: string): boolean {
  return /^export type \w+ = \(typeof/.test(line) && /as const;$/.test(before);
}
