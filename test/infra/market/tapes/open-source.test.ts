import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSource, type SourceSpec, sourceName } from '../../../../src/infra/market/tapes/open-source.ts';
import { createSourceFixture, startReading, tempFolder, tradesAt, writeTape } from './source-fixture.ts';

describe('opening a source', () => {
  test.each([
    ['replay', { speed: 0, shift: null }],
    ['tail', {}],
    ['none', {}],
  ] as const)('%s carries the name its checkpoint is kept under', async (kind, more) => {
    const file = await writeTape(tradesAt(0));
    const spec = { kind, file, ...more } as SourceSpec;
    const source = await openSource(spec, { checkpoint: null }, createSourceFixture());
    expect(source.name).toBe(sourceName(spec));
    expect(source.name).toBe(kind === 'none' ? 'none' : `${kind}:${file}`);
  });

  test.each(['replay', 'tail'] as const)('%s refuses a file that is no tape', async (kind) => {
    const file = join(await tempFolder(), 'notes.md');
    await writeFile(file, '# Notes\n\n{"name":"tipoff"}\n');
    const spec = { kind, file, speed: 0, shift: null } as SourceSpec;
    await expect(openSource(spec, { checkpoint: null }, createSourceFixture())).rejects.toThrow(
      `${kind}:${file}: not a tape: none of its first lines is a row`,
    );
  });

  test('none yields nothing until it is stopped, and is at its end all the while', async () => {
    const source = await openSource({ kind: 'none' }, { checkpoint: null }, createSourceFixture());
    const { taken, done, stop } = startReading(source);
    expect(source.status().state).toBe('at_end');
    stop();
    await done;
    expect(taken).toEqual([]);
  });
});
