import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shownInChat, shownToNewcomer } from '../../scripts/bots-page.ts';
import { envExample, settingsTable } from '../../scripts/settings-table.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { parseConfig } from '../../src/config.ts';
import { RECONNECT_RULE } from '../../src/core/delivery/stream/close-codes.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { parseHeader, parseLine } from '../../src/infra/market/tapes/row-schema.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const TOP_FOLDERS = ['bin', 'bots', 'data', 'deploy', 'docs', 'examples', 'jobs', 'scripts', 'src', 'test'];
const FILES = TOP_FOLDERS.flatMap((folder) => [
  folder,
  ...readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name}`,
  ),
]);
const PAGES = [
  ...[
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'data/tapes/README.md',
  ],
  ...FILES.filter((file) => /^(?:docs|examples)\/.*\.md$/.test(file)).sort(),
];
/** Files that documents name and that the tree does not have: made at run time, or in the repository of others. */
const NOT_OF_THE_TREE: readonly string[] = ['data/tipoff.db', 'docs/venue/verified-2026-10-05.md'];
/** What follows `npm` in documents and is no script of this package. */
const NPM_WORDS: readonly string[] = ['audit', 'ci', 'install', 'pack', 'sbom', 'scripts'];
const PICTURE_BYTES = 150_000;
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** What documents name by a pattern and that is not right, each with its document. */
function namedIn(
  pattern: RegExp,
  isRight: (named: { readonly name: string; readonly page: string }) => boolean,
): readonly string[] {
  return PAGES.flatMap((page) =>
    [...read(page).matchAll(pattern)]
      .map(([, name]) => name as string)
      .filter((name) => !isRight({ name, page }))
      .map((name) => `${page}: ${name}`),
  );
}

function anchorsOf(page: string): readonly string[] {
  const headings = read(page)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Generators of clients, whose owners they name; npx asks before it fetches one. */
const GENERATORS = ['openapi-typescript', '@hey-api/openapi-ts'];

/** The packages that a text would make a machine fetch by their names, but for those of a path and \`ws\`. */
function fetchedBy(text: string): readonly string[] {
  const runs = /\b(?:npx|bunx|uvx|npm (?:exec|x)|(?:pnpm|yarn) dlx|pipx run)((?: +-\S*)*) +([\w@][\w@/.-]*)/g;
  const installs =
    /\b(?:(?:npm|pnpm|bun) (?:install|i|add)|yarn add|pip3? install)(?: +-\S+)* +([\w@][\w@/.-]*)/g;
  const run = [...text.matchAll(runs)].flatMap(([, options = '', name = '']) =>
    / --no(?:-install)?\b/.test(options) ? [] : [name],
  );
  const installed = [...text.matchAll(installs)].map(([, name = '']) => name);
  return [
    ...run,
    ...installed.filter((name) => name !== 'ws' && !name.startsWith('PATH-OF-THE-REPOSITORY/')),
  ];
}

describe('documents', () => {
  test('the README has at most 450 words, and its first sentence says what is watched and for whom', () => {
    const readme = read('README.md');
    expect(readme.match(/\S+/g)?.length).toBeLessThanOrEqual(450);
    const [, sentence] = /^# Tipoff\n\n([^.]+\.)/.exec(readme) ?? [];
    expect(sentence).toMatch(/Polymarket[\s\S]+ for traders/);
  });

  test('the settings of docs/settings.md are those the service reads (npm run docs writes them)', () => {
    const [, table] = /<!-- settings -->\n([\s\S]*?)<!-- \/settings -->/.exec(read('docs/settings.md')) ?? [];
    expect(table).toBe(settingsTable());
    expect(table?.match(/^\| `/gm)?.length).toBeLessThanOrEqual(45);
  });

  test('.env.example has settings the service reads, and no value (npm run docs writes it)', () => {
    expect(read('.env.example')).toBe(envExample());
    const set = read('.env.example')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(set.length).toBeGreaterThan(5);
    expect(set.filter((line) => !/^[A-Z_]+=$/.test(line))).toEqual([]);
    const copied = parseConfig(Object.fromEntries(set.map((line) => [line.slice(0, -1), ''])));
    expect(copied).toEqual(parseConfig({}));
  });

  test.each(['docs/api.md', 'clients/typescript/README.md', 'clients/python/README.md'])(
    '%s says when a client of the stream reconnects',
    (page) => expect(read(page).replaceAll('`', '').replaceAll(/\s+/g, ' ')).toContain(RECONNECT_RULE),
  );

  test('every tipoff command is there', () => {
    const wrong = namedIn(/(?:node bin\/tipoff\.js|tipoff tipoff|`tipoff) ([a-z][\w-]*)/g, ({ name }) =>
      Object.hasOwn(COMMANDS, name),
    );
    expect(wrong).toEqual([]);
  });

  test('docs/bots.md shows what the bots show (npm run docs writes it)', async () => {
    const [, shown] = /<!-- shown -->\n\n([\s\S]*?)<!-- \/shown -->/.exec(read('docs/bots.md')) ?? [];
    expect(shown).toBe(await shownInChat());
    const [, newcomer] = /<!-- newcomer -->\n([\s\S]*?)<!-- \/newcomer -->/.exec(read('docs/bots.md')) ?? [];
    expect(newcomer).toBe(await shownToNewcomer());
  });

  test('no text of the product makes a machine fetch a package that anyone could own', () => {
    const files = execFileSync(
      'git',
      ['ls-files', 'src', 'bots', 'jobs', 'docs', 'clients', 'examples', 'deploy'],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    );
    const texts = [
      ...files.trim().split('\n'),
      'README.md',
      'CONTRIBUTING.md',
      'ARCHITECTURE.md',
      'SECURITY.md',
      'compose.yaml',
    ];
    const fetched = texts.flatMap((file) => fetchedBy(read(file)).map((name) => `${file}: ${name}`));
    expect(fetched).toEqual(GENERATORS.map((name) => `docs/api.md: ${name}`));
  });

  test.each([
    ['npx tipoff demo', ['tipoff']],
    ['npm exec -- tipoff keys', ['tipoff']],
    ['pnpm dlx @tipoff/cli', ['@tipoff/cli']],
    ['pipx run tipoff', ['tipoff']],
    ['npm install -g tipoff', ['tipoff']],
    ['npx --no tipoff demo', []],
    ['npm install ws # only on Node 20', []],
    ['pip install PATH-OF-THE-REPOSITORY/clients/python', []],
  ])('“%s” fetches %j', (text, expected) => {
    expect(fetchedBy(text)).toEqual(expected);
  });

  test('every npm command is there', () => {
    const wrong = namedIn(
      /npm (?:run (?:-s )?)?([\w-]+)/g,
      ({ name }) => NPM_WORDS.includes(name) || scripts[name] !== undefined,
    );
    expect(wrong).toEqual([]);
  });

  test('every link leads to a file, and to a heading of it', () => {
    const wrong = namedIn(/\]\(([^)]+)\)/g, ({ name, page }) => {
      const [path = '', anchor] = name.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (/^<?http/.test(name)) return true;
      return existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(target).includes(anchor));
    });
    expect(wrong).toEqual([]);
  });

  test('every picture is shown in a document and has at most 150 kB', () => {
    const shown = PAGES.flatMap((page) =>
      [...read(page).matchAll(/images\/([\w-]+\.\w+)/g)].map(([, name]) => name),
    );
    const pictures = FILES.filter((file) => /^docs\/images\/.*\.\w+$/.test(file));
    expect(new Set(shown)).toEqual(new Set(pictures.map((file) => basename(file))));
    for (const file of pictures) expect(statSync(join(ROOT, file)).size).toBeLessThanOrEqual(PICTURE_BYTES);
  });

  test('every file and folder that is named is there, but for those of the changelog', () => {
    const wrong = namedIn(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g, ({ name, page }) => {
      if (page === 'CHANGELOG.md' || NOT_OF_THE_TREE.includes(name)) return true;
      if (/\.(?:ts|mjs|py)$/.test(name)) return FILES.some((file) => `/${file}`.endsWith(`/${name}`));
      const isPath = name.includes('/') && TOP_FOLDERS.includes(name.split('/')[0] ?? '');
      return !isPath || FILES.includes(name.replace(/\/$/, ''));
    });
    expect(wrong).toEqual([]);
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
    const parse = parseLine;
    const [header, ...lines] = example.trim().split('\n');
    expect(parseHeader(header ?? '')).toMatchObject({ history: 'complete' });
    const detector = new Detector(DEFAULT_RULES, { isComplete: false });
    const rows = lines.map((line) => parse(line, Date.now()));
    const alerts = rows.flatMap((row) => (row.kind === 'bad' ? [] : detector.judge(row).candidates));
    expect(rows.map(({ kind }) => kind)).toEqual(['market', 'wallet', 'trade', 'close']);
    expect(alerts).toMatchObject([{ type: 'fresh', usdc: 2_000, entryPrice: 0.4 }]);
    expect(read('docs/tapes.md')).toContain(`\`fresh\`, $2,000 at 40¢, score ${alerts[0]?.score}.`);
  });

  test('hosted checks run what a checkout runs, by actions that cannot change', () => {
    const workflow = read('.github/workflows/ci.yml');
    expect(workflow).toContain('run: .ci/run');
    expect(existsSync(join(ROOT, '.ci/run'))).toBe(true);
    const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([]);
  });

  test('every script runs a file that is there', () => {
    const files = Object.values(scripts).flatMap(
      (script) => script.match(/(?:src|scripts|test)\/[\w./-]+\.ts/g) ?? [],
    );
    expect(files.length).toBeGreaterThan(6);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
