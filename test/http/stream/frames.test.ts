import { expect, onTestFinished, test } from 'vitest';
import { EMPTY_LOG } from '../../../src/core/alerts/log/log-entry.ts';
import { SettlementReader } from '../../../src/core/alerts/settlements/settlement-reader.ts';
import { SettlementStream } from '../../../src/core/delivery/stream/settlement-stream.ts';
import { JsonFrames } from '../../../src/http/stream/encode-frames.ts';
import { alertOf } from '../../support/alerts.ts';
import { startApi } from '../../support/api-server.ts';
import { appendDrafts, outcomesAt } from '../../support/log-entries.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { connectStream } from '../../support/stream-client.ts';

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

async function startWithOutcomes() {
  const api = await startApi();
  const { hub, database, clock, logHeads } = api;
  const frames = new JsonFrames(logHeads);
  const settlements = new SettlementReader(database);
  const outcomes = new SettlementStream({
    ...{ hub, settlements, clock, logger: silentLogger, defer: setImmediate },
    frameOf: (settled) => frames.outcome(settled),
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const { secret } = await api.issue({ tier: 'pro' });
  return {
    ...api,
    secret,
    open: () => outcomes.open(),
    run: () => void outcomes.run(stop.signal),
    settle: (marketId: string) => {
      const body = { market_id: marketId, outcomes: ['Yes', 'No'], payouts: [1, 0] };
      const draft = { kind: 'outcome', subject: `market:${marketId}`, at: START, body } as const;
      return appendDrafts(database.log, [draft]);
    },
  };
}

test('outcomes are sent to the sockets that asked for them and whose filter an alert of the market passes', async () => {
  const { baseUrl, secret, get, append, settle, open, run, clock } = await startWithOutcomes();
  await append(alertOf({ id: 1, marketId: '0xa', category: 'tech' }), alertOf({ id: 2, marketId: '0xb' }));
  await append(alertOf({ id: 3, marketId: '0xc', isHistory: true }));
  await settle('0xa');
  await open();
  const query = `api_key=${secret}`;
  const [all, tech, none] = ['&outcomes=true', '&outcomes=true&categories=tech', ''].map((more) =>
    connectStream(baseUrl, query + more),
  );
  for (const client of [all, tech, none]) await client?.received(1);
  run();
  await clock.asleep();
  for (const marketId of ['0xb', '0xc', '0xd', '0xa']) await settle(marketId);
  await clock.advance(250);

  const frames = await all?.received(3);
  await tech?.received(2);

  expect(frames?.slice(1).map(({ type, data }) => [type, data.number])).toEqual([
    ['outcome', 2],
    ['outcome', 5],
  ]);
  expect(frames?.[1].data).toEqual((await get('/outcomes/2', secret)).body);
  expect(tech?.frames.slice(1).map(({ data }) => data.number)).toEqual([5]);
  none?.socket.send('ping');
  expect((await none?.received(2))?.map(({ type }) => type)).toEqual(['connected', 'pong']);
});

test('test=1 sends one invented alert after connected, which no answer has', async () => {
  const { baseUrl, secret, get, append } = await startWithOutcomes();
  const { received } = connectStream(baseUrl, `api_key=${secret}&test=1&min_signal=50`);
  await received(2);
  await append(alertOf({ id: 1 }));
  const frames = await received(3);
  expect(frames.map(({ type, test: isTest, data }) => [type, isTest, data?.id])).toEqual([
    ['connected', undefined, undefined],
    ['alert', true, 0],
    ['alert', undefined, 1],
  ]);
  expect((await get('/alerts/0', secret)).status).toBe(404);
  expect((await get('/alerts', secret)).body.total).toBe(1);
});
