import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EMPTY_LOG, LOG_KINDS } from '../../src/core/alerts/log/log-entry.ts';
import { checkEntry, entryLine, type PublishedEntry, parseEntry } from '../../src/core/alerts/log/seal.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';
import { EVENTS, fixtureAlert, logFixtureOf } from '../support/log-fixture.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/log.md'), 'utf8');
const fence = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text]) => text as string,
  );

const hasPython = spawnSync('python3', ['--version']).status === 0;
const [script = ''] = fence('python');

const folder = mkdtempSync(join(tmpdir(), 'tipoff-log-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

function runScript(...files: readonly string[]) {
  return spawnSync('python3', ['-c', script, ...files], { encoding: 'utf8' });
}

function fileOf(name: string, lines: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

describe('docs/log.md', () => {
  test('shows two entries that are a log', () => {
    const [example = ''] = fence('jsonl');
    const entries = example
      .trim()
      .split('\n')
      .map((line) => parseEntry(JSON.parse(line))) as PublishedEntry[];
    expect(entries.map(entryLine)).toEqual(example.trim().split('\n'));
    expect(entries.map((entry, index) => checkEntry(entry, entries[index - 1] ?? EMPTY_LOG, sha256))).toEqual(
      [null, null],
    );
  });

  test('shows a line for the shell that prints the hash below it', () => {
    const [line = '', expected] =
      fence('sh')
        .find((text) => text.startsWith('printf'))
        ?.split('\n') ?? [];
    expect(`# ${execFileSync('sh', ['-c', line], { encoding: 'utf8' }).trim()}`).toBe(expected);
  });

  test('names every kind of entry', () => {
    const [, table = ''] = /## What is in the log\n([\s\S]*?)\n## /.exec(page) ?? [];
    for (const kind of LOG_KINDS) expect(table).toContain(`\`${kind}\``);
  });
});

describe.skipIf(!hasPython)('the Python of docs/log.md', () => {
  const odd = fixtureAlert(7, '0xm4', {
    eventTitle: 'Says "hash":"x", é, 𝄞 or \u2028?',
    entryPrice: 0.000001,
    usdc: 1e21,
    shares: 1e-7,
  });
  const world = logFixtureOf([...EVENTS, odd]);
  const lines = world.entries.map(entryLine);

  test('is fifteen lines long', () => {
    expect(
      script
        .trim()
        .split('\n')
        .filter((line) => line !== ''),
    ).toHaveLength(15);
  });

  test('prints the head of a log, whatever its texts and numbers, in one file or several', () => {
    const { sequence, hash } = world.entries.at(-1) as PublishedEntry;
    const files = [fileOf('1.jsonl', lines.slice(0, 4)), fileOf('2.jsonl', lines.slice(4))];
    const answer = runScript(...files);
    expect(answer.stderr).toBe('');
    expect(answer.stdout).toBe(`${sequence} ${hash}\n`);
  });

  test.each<[string, (lines: readonly string[]) => readonly string[]]>([
    ['a changed line', (all) => all.with(1, (all[1] as string).replace('2000', '2001'))],
    ['a removed line', (all) => all.toSpliced(3, 1)],
    ['a repeated line', (all) => all.toSpliced(3, 0, all[2] as string)],
    ['lines in another order', (all) => all.toSpliced(3, 2, all[4] as string, all[3] as string)],
  ])('finds %s', (name, change) => {
    const { status, stderr } = runScript(fileOf(`${name}.jsonl`, change(lines)));
    expect(stderr).toContain('AssertionError');
    expect(status).toBe(1);
  });
});
