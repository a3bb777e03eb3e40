import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createTerminal } from '../../src/cli/terminal.ts';

function openStream(columns: number | null, pipeColumns: number | null = null) {
  const stream = Object.assign(new PassThrough(), columns === null ? {} : { isTTY: true, columns });
  return {
    stream,
    terminal: createTerminal(stream as unknown as NodeJS.WriteStream, pipeColumns),
    written: () => String(stream.read() ?? ''),
  };
}

const TEXT = 'one fresh wallet bought for $1,802';

test('prose is broken between words on a terminal, and whole in a pipe', () => {
  const [screen, pipe] = [openStream(30), openStream(null)];
  for (const { terminal } of [screen, pipe]) terminal.prose(TEXT, 4);
  expect(screen.written()).toBe('one fresh wallet bought for\n    $1,802\n');
  expect(pipe.written()).toBe(`${TEXT}\n`);
});

test('prose keeps the columns asked for in a pipe, and those of the terminal in a terminal', () => {
  const [screen, pipe] = [openStream(100, 30), openStream(null, 30)];
  for (const { terminal } of [screen, pipe]) terminal.prose(TEXT, 4);
  expect(screen.written()).toBe(`${TEXT}\n`);
  expect(pipe.written()).toBe('one fresh wallet bought for\n    $1,802\n');
});

test('a line to be copied is never broken', () => {
  const { terminal, written } = openStream(10);
  terminal.line(TEXT);
  expect(written()).toBe(`${TEXT}\n`);
});

test('a reader that is gone closes the terminal instead of failing; what follows is dropped', () => {
  const { stream, terminal, written } = openStream(null);
  terminal.line('first');
  expect(terminal.closed.aborted).toBe(false);
  stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  terminal.line('second');
  expect(terminal.closed.aborted).toBe(true);
  expect(written()).toBe('first\n');
});

test('any other fault of the stream is not swallowed', () => {
  const { stream, terminal } = openStream(null);
  const fault = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  expect(() => stream.emit('error', fault)).toThrow('no space left');
  expect(terminal.closed.aborted).toBe(false);
});
