import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import { endSlowDownload, WINDOW_BYTES_MIN } from '../../src/http/routes/log-downloads.ts';
import { createFakeClock } from '../support/clock.ts';
import { START } from '../support/rows.ts';

const WINDOW_MS = 10 * SECOND_MS;

function download({ bytesPerWindow = 0, isClientBehind = true }) {
  const clock = createFakeClock(START);
  const over = new AbortController();
  const body = new Readable({ read() {} }).on('error', () => {});
  const progress = () => ({ bytes: (clock.monotonic() / WINDOW_MS) * bytesPerWindow, isClientBehind });
  const ended = endSlowDownload(body, { clock, progress, signal: over.signal });
  return { clock, over, body, ended };
}

test('a client that reads too slowly is cut off after 10 seconds', async () => {
  const { clock, body } = download({ bytesPerWindow: WINDOW_BYTES_MIN - 1 });
  await clock.advance(WINDOW_MS - 1);
  expect(body.destroyed).toBe(false);
  await clock.advance(1);
  expect(body.destroyed).toBe(true);
});

test('a client that reads fast enough has 10 minutes', async () => {
  const { clock, body } = download({ bytesPerWindow: WINDOW_BYTES_MIN });
  await clock.advance(10 * MINUTE_MS - 1);
  expect(body.destroyed).toBe(false);
  await clock.advance(1);
  expect(body.destroyed).toBe(true);
});

test('a client that waits for the database is not cut off before', async () => {
  const { clock, body } = download({ isClientBehind: false });
  await clock.advance(10 * MINUTE_MS - 1);
  expect(body.destroyed).toBe(false);
});

test('a download that ended is not watched any more', async () => {
  const { clock, over, body, ended } = download({});
  over.abort();
  await ended;
  expect([body.destroyed, clock.sleepers]).toEqual([false, 0]);
});
