import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EMPTY_LOG, LOG_KINDS } from '../../src/core/alerts/log/log-entry.ts';
import { checkEntry, entryLine, type PublishedEntry, parseEntry } from '../../src/core/alerts/log/seal.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/log.md'), 'utf8');
const fence = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text]) => text as string,
  );

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
