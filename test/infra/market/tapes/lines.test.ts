import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Line,
  LineSplitter,
  MAX_LINE_BYTES,
  readLines,
} from '../../../../src/infra/market/tapes/tape-file.ts';
import { tempFolder } from './source-fixture.ts';

function split(bytes: Buffer, cuts: readonly number[]): Line[] {
  const splitter = new LineSplitter(0);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  const lines = edges.slice(1).flatMap((edge, index) => splitter.push(bytes.subarray(edges[index], edge)));
  const rest = splitter.rest();
  return rest === null ? lines : [...lines, rest];
}

async function batchesOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const batches: T[] = [];
  for await (const batch of source) batches.push(batch);
  return batches;
}

describe('line splitter', () => {
  test('any split of bytes into chunks gives the same lines', () => {
    const text = fc.array(fc.string({ unit: 'binary' }).map((line) => line.replaceAll('\n', ' ')));
    fc.assert(
      fc.property(text, fc.boolean(), fc.array(fc.nat()), (lines, hasEnd, cuts) => {
        const bytes = Buffer.from(lines.join('\n') + (hasEnd ? '\n' : ''));
        expect(split(bytes, cuts)).toEqual(split(bytes, []));
      }),
    );
  });

  test('an offset counts the bytes up to and including the line’s end', () => {
    expect(split(Buffer.from('ä\n\nxy'), [1])).toEqual([
      { text: 'ä', end: 3 },
      { text: '', end: 4 },
      { text: 'xy', end: 6 },
    ]);
  });

  test('a line of more than 1 MB has no text, wherever it is split, and the next one is whole', () => {
    const bytes = Buffer.from(`${'x'.repeat(MAX_LINE_BYTES + 1)}\n${'y'.repeat(MAX_LINE_BYTES)}\n`);
    for (const cuts of [[], [7, 300_000], [MAX_LINE_BYTES], [MAX_LINE_BYTES + 1, 1_500_000]])
      expect(split(bytes, cuts).map(({ text }) => text?.length ?? null)).toEqual([null, MAX_LINE_BYTES]);
  });

  test('a byte order mark counts as bytes but is no text', () => {
    expect(split(Buffer.from('\uFEFF{}\n\uFEFF\n'), [])).toEqual([
      { text: '{}', end: 6 },
      { text: '\uFEFF', end: 10 },
    ]);
  });
});

describe.each(['tape.jsonl', 'tape.jsonl.gz'])('reading %s', (name) => {
  const text = Array.from({ length: 20_000 }, (_, index) => `line ${index} with ünïcödé`).join('\n');

  async function write(content: Buffer): Promise<string> {
    const file = join(await tempFolder(), name);
    await writeFile(file, name.endsWith('.gz') ? gzipSync(content) : content);
    return file;
  }

  async function collect(file: string, offset = 0) {
    const batches = await batchesOf(readLines(file, offset));
    return { lines: batches.flat(), batches: batches.length };
  }

  test('gives every line, hundreds a batch, the last one without an end too', async () => {
    const { lines, batches } = await collect(await write(Buffer.from(text)));
    expect(lines.map((line) => line.text).join('\n')).toBe(text);
    expect(lines.length / batches).toBeGreaterThan(300);
  });

  test('begins at the offset of any line', async () => {
    const file = await write(Buffer.from(text));
    const { lines } = await collect(file);
    for (const index of [0, 1, 9_999, 19_998, 19_999]) {
      expect((await collect(file, lines[index]?.end)).lines).toEqual(lines.slice(index + 1));
    }
  });

  test('of an empty file gives nothing', async () => {
    expect(await collect(await write(Buffer.alloc(0)))).toEqual({ lines: [], batches: 0 });
  });
});

describe('a gzip file', () => {
  const packed = gzipSync(Buffer.from(Array.from({ length: 9_999 }, () => Math.random()).join('\n')));

  test.each([
    ['cut off', packed.subarray(0, 20_000)],
    ['damaged', Buffer.concat([packed.subarray(0, 20_000), Buffer.alloc(500, 7), packed.subarray(20_500)])],
    ['that is none', Buffer.from('{"side":"BUY"}\n')],
  ])('%s is named in a clear error', async (_name, bytes) => {
    const file = join(await tempFolder(), 'broken.jsonl.gz');
    await writeFile(file, bytes);
    await expect(batchesOf(readLines(file))).rejects.toThrow(
      /broken\.jsonl\.gz is corrupt or truncated \(.+\); take a fresh copy/,
    );
  });

  test('made of several parts is read to the end of the last', async () => {
    const file = join(await tempFolder(), 'parts.jsonl.gz');
    await writeFile(file, Buffer.concat([gzipSync('one\n'), gzipSync('two\n')]));
    const lines = (await batchesOf(readLines(file))).flat();
    expect(lines.map((line) => line.text)).toEqual(['one', 'two']);
  });
});
