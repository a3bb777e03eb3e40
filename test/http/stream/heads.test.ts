import { expect, test } from 'vitest';
import { LogHeads } from '../../../src/core/alerts/ledger/log-heads.ts';
import { EMPTY_LOG } from '../../../src/core/alerts/log/log-entry.ts';
import { JsonFrames } from '../../../src/http/stream/encode-frames.ts';
import { alertOf } from '../../support/alerts.ts';
import { startApi } from '../../support/api-server.ts';
import { createFakeClock } from '../../support/clock.ts';
import { appendDrafts, memoryLog, outcomesAt, sealed } from '../../support/log-entries.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { connectStream } from '../../support/stream-client.ts';
import { openStreamFixture, settle } from '../../support/stream-fixture.ts';

const headOf = (sequence: number) => ({ sequence, hash: String(sequence).repeat(64) });
const textOf = (frame: Uint8Array) => new TextDecoder().decode(frame.subarray(frame.indexOf(0x7b)));

test('every frame carries the newest head, and that of an alert the entry of the alert, in its data', async () => {
  const { baseUrl, issue, append, hub, database } = await startApi();
  const [, entry] = await appendDrafts(database.log, outcomesAt(START, START));
  const { secret } = await issue({ tier: 'pro' });
  await append(alertOf({ id: 1, log: { sequence: 1, hash: 'a'.repeat(64) } }));
  await append(alertOf({ id: 2, log: { sequence: 2, hash: entry?.hash ?? '' } }), alertOf({ id: 3 }));
  const { socket, received } = connectStream(baseUrl, `api_key=${secret}&since_id=0`);
  await received(4);
  socket.send('ping');
  socket.send('hello');
  await received(6);
  hub.degrade({ since: 0, cause: 'stalled' });
  await received(7);
  hub.recover({ since: 0, until: 1, backfilled: true });
  const newest = { sequence: 2, hash: entry?.hash };
  const heads = (await received(8)).map(({ type, data, log }) => [type, data === undefined ? log : data.log]);
  expect(heads).toEqual([
    ['connected', newest],
    ['alert', { sequence: 1, hash: 'a'.repeat(64) }],
    ['alert', newest],
    ['alert', null],
    ['pong', newest],
    ['error', newest],
    ['degraded', newest],
    ['recovered', newest],
  ]);
});

test('what is sent to many is made once a head', () => {
  const heads = { newest: EMPTY_LOG };
  const frames = new JsonFrames(heads);
  const degraded = { since: 0, cause: 'stalled' } as const;
  const made = () => [frames.pong, frames.unknownMessage, frames.degraded(degraded)];
  const [first, again] = [made(), made()];
  for (const [index, frame] of first.entries()) expect(again[index]).toBe(frame);
  heads.newest = headOf(1);
  for (const frame of made()) expect(JSON.parse(textOf(frame))).toMatchObject({ log: headOf(1) });
  expect(frames.pong).toBe(frames.pong);
});

test('two notices of the same time are two frames', () => {
  const frames = new JsonFrames({ newest: EMPTY_LOG });
  const stalled = frames.degraded({ since: 0, cause: 'stalled' });
  expect(textOf(frames.degraded({ since: 0, cause: 'unreachable' }))).not.toBe(textOf(stalled));
});

test('a client that connects while the feed is degraded gets the notice with the head of that moment', async () => {
  const { baseUrl, issue, append, hub } = await startApi();
  const { secret } = await issue({ tier: 'pro' });
  hub.degrade({ since: 0, cause: 'stalled' });
  await append(alertOf({ id: 1, log: headOf(1) }));
  const { received } = connectStream(baseUrl, `api_key=${secret}`);
  expect((await received(2)).map(({ log }) => log)).toEqual([headOf(1), headOf(1)]);
});

test('a thousand sockets get the head without a call of the store', async () => {
  const log = memoryLog(sealed(outcomesAt(START)));
  const clock = createFakeClock(START);
  const alerts = { last: async () => null };
  const heads = new LogHeads({ log, alerts, clock, logger: silentLogger, freeDelayMs: 0 });
  await heads.open({ subscribe: () => () => {} });
  const fixture = await openStreamFixture(3, new JsonFrames(heads));
  const [calls, { reads }] = [log.calls.count, { ...fixture.counts }];
  const clients = Array.from({ length: 1_000 }, () => fixture.connect());
  await settle();
  for (const { session } of clients) session.message('ping');
  expect([log.calls.count, fixture.counts.reads]).toEqual([calls, reads]);
  const { sequence, hash } = log.entries[0] ?? EMPTY_LOG;
  for (const { socket } of clients)
    expect(socket.frames.map(({ type, log: head }) => [type, head])).toEqual([
      ['connected', { sequence, hash }],
      ['pong', { sequence, hash }],
    ]);
});
