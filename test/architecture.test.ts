import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readImports } from './support/code/imports.ts';

const ROOT = join(import.meta.dirname, '..');
const PRODUCT = ['src', 'bots', 'jobs'];
/** Folders whose subfolders may not import each other in a circle; files beside the subfolders may import them. */
const PARENTS = ['src', 'src/infra', 'src/http', 'bots', 'jobs', 'scripts'];
/** The wings of core, from the lowest: a wing imports itself and those before it; the files beside them import all. */
const WINGS = [
  'base',
  'trades',
  'detection',
  'alerts',
  'record',
  'ingest',
  'accounts',
  'operations',
  'delivery',
  'chat',
  'follow',
];
/** Folders that are still part of a circle. The list may only shrink. */
const IN_CIRCLES: readonly string[] = [];

const imports = readImports([...PRODUCT, 'scripts']);
const sources = new Map(
  [...imports.keys()]
    .filter((file) => !file.startsWith('scripts/'))
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
);

function specifiersOf(file: string): string[] {
  return (imports.get(file) ?? []).map(({ target }) => target);
}

function importsOf(file: string): string[] {
  return specifiersOf(file).filter((target) => target.endsWith('.ts'));
}

/** The room of a file: `core`, `http`, … below src, else the top folder; files at the top of src are rooms of one. */
function roomOf(file: string): string {
  const [top, second, third] = file.split('/');
  if (top !== 'src') return top as string;
  return third === undefined ? (second as string).replace('.ts', '') : (second as string);
}

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: [],
  infra: ['core'],
  http: ['core'],
  site: ['core', 'http'],
  mcp: ['core', 'http'],
  bots: ['core'],
  jobs: ['core'],
  config: ['core', 'infra'],
  wiring: ['core', 'infra', 'http', 'site', 'mcp', 'bots', 'jobs', 'config'],
  container: ['core', 'infra', 'wiring', 'config', 'jobs'],
  cli: ['core', 'infra', 'config', 'container', 'wiring', 'bots', 'main'],
  main: ['config', 'container', 'core', 'infra', 'wiring'],
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

  test('core imports nothing outside core but what touches nothing outside the process', () => {
    const outside = [...sources.keys()]
      .filter((file) => file.startsWith('src/core/'))
      .flatMap((file) => specifiersOf(file).map((target) => `${file} → ${target}`))
      .filter(
        (arrow) =>
          !/ → (?:src\/core\/|(?:lru-cache|p-limit|yocto-queue|zod|node:(?:crypto|util|zlib))$)/.test(arrow),
      );
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

  test('the wings of core import only those before them', () => {
    const wingOf = (file: string) => /^src\/core\/(\w+)\//.exec(file)?.[1];
    const rank = (file: string) => WINGS.indexOf(wingOf(file) ?? '');
    const core = [...sources.keys()].filter((file) => file.startsWith('src/core/'));
    expect(new Set(core.map(wingOf))).toEqual(new Set([...WINGS, undefined]));
    const wrong = core
      .filter((file) => wingOf(file) !== undefined)
      .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
      .filter(({ file, target }) => wingOf(target) === undefined || rank(target) > rank(file))
      .map(({ file, target }) => `${file} → ${target}`);
    expect(wrong).toEqual([]);
  });

  test('no circle of imports: move what both files need to a third', () => {
    expect(circlesOf([...imports.keys()], importsOf)).toEqual([]);
  });

  test('no circle of folders: move what both need to the one below, or to a folder of its own', () => {
    const circles = PARENTS.flatMap((parent) => {
      const prefix = `${parent}/`;
      const childOf = (file: string) => {
        if (!file.startsWith(prefix)) return [];
        const [child = '', below] = file.slice(prefix.length).split('/');
        return below === undefined ? [] : [prefix + child];
      };
      const folders = new Set([...imports.keys()].flatMap(childOf));
      const targets = (folder: string) =>
        [...imports.keys()]
          .filter((file) => file.startsWith(`${folder}/`))
          .flatMap(importsOf)
          .flatMap(childOf)
          .filter((target) => target !== folder);
      return circlesOf([...folders], targets);
    });
    const isKnown = (circle: string) => circle.split(' → ').every((folder) => IN_CIRCLES.includes(folder));
    expect(circles.filter((circle) => !isKnown(circle))).toEqual([]);
    const free = IN_CIRCLES.filter(
      (folder) => !circles.some((circle) => circle.split(' → ').includes(folder)),
    );
    expect(free, 'in no circle any more: remove from IN_CIRCLES').toEqual([]);
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

  test('the addresses of pages of the market and of the explorer are written in one file', () => {
    const files = globSync('{src,bots,jobs,clients,examples}/**/*.{ts,js,py,md}', { cwd: ROOT }).filter(
      (file) => !/node_modules|generated/.test(file) && file !== 'src/core/trades/other-sites.ts',
    );
    const address = /(?<![\w.-])(?:www\.)?(?:polymarket|polygonscan)\.com(?:\/|['"`])/;
    const wrong = files.filter((file) => address.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(files.length).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
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

/** Each circle among the nodes by one path through it: `a → b → a`. */
function circlesOf(nodes: readonly string[], targetsOf: (node: string) => readonly string[]): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) circles.push([...path.slice(path.indexOf(node)), node].join(' → '));
    if (done.has(node) || path.includes(node)) return;
    for (const target of new Set(targetsOf(node))) visit(target, [...path, node]);
    done.add(node);
  };
  for (const node of nodes.toSorted()) visit(node, []);
  return circles;
}
