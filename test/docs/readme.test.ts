import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { about } from '../../bots/shared/conversation/about.ts';
import { plainText } from '../../bots/shared/screen.ts';
import { shownInChat } from '../../scripts/bots-page.ts';
import { envExample, settingsTable } from '../../scripts/settings-table.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { parseConfig } from '../../src/config.ts';
import { categoryOf } from '../../src/core/classification/category-of.ts';
import { createDetector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { createRowParser, parseHeader } from '../../src/infra/sources/row-schema.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/detection.md',
  'docs/reading-alerts.md',
  'docs/tapes.md',
  'docs/bots.md',
  'docs/live-market.md',
  'docs/log.md',
  'data/tapes/README.md',
  'examples/README.md',
];
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('documents', () => {
  test('the README’s settings are those the service reads (npm run settings writes them)', () => {
    const [, table] = /<!-- settings -->\n([\s\S]*?)<!-- \/settings -->/.exec(read('README.md')) ?? [];
    expect(table).toBe(settingsTable());
  });

  test('.env.example has settings the service reads, and no value (npm run settings writes it)', () => {
    expect(read('.env.example')).toBe(envExample());
    const set = read('.env.example')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(set.length).toBeGreaterThan(5);
    expect(set.filter((line) => !/^[A-Z_]+=$/.test(line))).toEqual([]);
    const copied = parseConfig(Object.fromEntries(set.map((line) => [line.slice(0, -1), ''])));
    expect(copied).toEqual(parseConfig({}));
  });

  test.each(PAGES)('every tipoff command in %s is there', (page) => {
    const named = [...read(page).matchAll(/(?:npx tipoff|tipoff tipoff|`tipoff) ([a-z][\w-]*)/g)];
    expect(named.filter(([, name]) => !Object.hasOwn(COMMANDS, name as string))).toEqual([]);
  });

  test('docs/bots.md shows what the bots show (npm run bots-page writes it)', async () => {
    const [, shown] = /<!-- shown -->\n\n([\s\S]*?)<!-- \/shown -->/.exec(read('docs/bots.md')) ?? [];
    expect(shown).toBe(await shownInChat());
  });

  test('/about says how often alerts were right with the figures of docs/reading-alerts.md', async () => {
    const words = plainText(
      (await about({ publicUrl: 'https://api.example.com' }).steps['about']?.({} as never)) ?? { body: [] },
    );
    const page = read('docs/reading-alerts.md');
    const [, right] = /(\d+ of \d+) alerts were right/.exec(words) ?? [];
    const [, needed] = /prices paid needed (\d+) % to break even/.exec(words) ?? [];
    expect(page).toContain(`${right} alerts were right`);
    const [, exactly] = /prices paid needed ([\d.]+) % to break even/.exec(page) ?? [];
    expect(needed).toBe(Number(exactly).toFixed(0));
  });

  test.each(PAGES)('every npm command in %s is there', (page) => {
    const named = [...read(page).matchAll(/npm (?:run (?:-s )?)?([\w-]+)/g)].map(
      ([, name]) => name as string,
    );
    const ours = named.filter((name) => !['ci', 'install', 'will', 'scripts'].includes(name));
    expect(ours.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test.each(PAGES)('every link in %s leads somewhere', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link as string);
    const local = links.filter((link) => !/^<?http/.test(link));
    expect(local.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  });

  test('every path in the layout of ARCHITECTURE.md is there', () => {
    const paths = [
      ...read('ARCHITECTURE.md').matchAll(/^((?:src|bin|bots|jobs|test|scripts)\/[\w./-]*)/gm),
    ].map(([, path]) => path as string);
    expect(paths.length).toBeGreaterThan(6);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('the example in docs/tapes.md is a tape that gives an alert', async () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(read('docs/tapes.md')) ?? [];
    const parse = createRowParser(categoryOf);
    const [header, ...lines] = example.trim().split('\n');
    expect(parseHeader(header ?? '')).toMatchObject({ history: 'complete' });
    const detector = createDetector(DEFAULT_RULES, { isComplete: false });
    const rows = lines.map((line) => parse(line, Date.now()));
    const alerts = rows.flatMap((row) => (row.kind === 'bad' ? [] : detector.judge(row).candidates));
    expect(rows.map(({ kind }) => kind)).toEqual(['market', 'wallet', 'trade', 'close']);
    expect(alerts).toMatchObject([{ type: 'fresh', usdc: 2_000, entryPrice: 0.4 }]);
    expect(read('docs/tapes.md')).toContain(`\`fresh\`, $2,000 at 40¢, score ${alerts[0]?.score}.`);
  });

  test('every script runs a file that is there', () => {
    const files = Object.values(scripts).flatMap(
      (script) => script.match(/(?:src|scripts|test)\/[\w./-]+\.ts/g) ?? [],
    );
    expect(files.length).toBeGreaterThan(6);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
