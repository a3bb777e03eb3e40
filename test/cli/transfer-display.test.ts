import { expect, test } from 'vitest';
import { TransferDisplay } from '../../src/cli/transfer/transfer-display.ts';
import { createFakeClock } from '../support/clock.ts';

async function shownFor(isInteractive: boolean, ms: number): Promise<string[]> {
  const shown: string[] = [];
  const terminal = {
    isInteractive,
    closed: new AbortController().signal,
    line: (text = '') => void shown.push(text),
    prose: (text: string) => void shown.push(text),
    progress: (text: string) => void shown.push(`progress ${text}`),
    style: (_style: unknown, text: string) => text,
  };
  const clock = createFakeClock(0);
  const display = new TransferDisplay(terminal, clock, new AbortController().signal);
  display.onTable('copy', 'alerts', 4_000);
  await clock.advance(ms);
  display.onRows(4_000);
  display.end();
  return shown;
}

test('a table that takes a second has a line with its rows; a shorter one has none, as the report names it', async () => {
  expect(await shownFor(false, 1_000)).toEqual(['copied alerts: 4,000 rows, 4,000 rows/s']);
  expect(await shownFor(false, 999)).toEqual(['progress ']);
});

test('on a terminal the line of progress is removed at the end of a short table', async () => {
  expect((await shownFor(true, 500)).at(-1)).toBe('progress ');
});
