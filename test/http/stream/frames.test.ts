import { expect, test } from 'vitest';
import { EMPTY_LOG } from '../../../src/core/alerts/log/log-entry.ts';
import { SettlementReader } from '../../../src/core/alerts/settlements/settlement-reader.ts';
import { JsonFrames } from '../../../src/http/stream/encode-frames.ts';
import { alertOf } from '../../support/alerts.ts';
import { startApi } from '../../support/api-server.ts';
import { appendDrafts, settlementsAt } from '../../support/log-entries.ts';
import { START } from '../../support/rows.ts';
import { connectStream } from '../../support/stream-client.ts';
import { wholeLog } from '../../support/whole-log.ts';

const headOf = (seq: number) => ({ seq, hash: String(seq).repeat(64) });
const textOf = (frame: Uint8Array) => new TextDecoder().decode(frame.subarray(frame.indexOf(0x7b)));

test('every frame carries the newest head, and that of an alert the entry of the alert, in its data', async () => {
  const { baseUrl, issue, append, hub, database } = await startApi();
  const { secret } = await issue({ tier: 'pro' });
  await append(alertOf({ id: 1 }), alertOf({ id: 2 }));
  await appendDrafts(database.log, settlementsAt(START + 2_000));
  await append(alertOf({ id: 3 }));
  const { socket, received } = connectStream(baseUrl, `api_key=${secret}&since_id=0`);
  await received(4);
  socket.send('ping');
  socket.send('hello');
  await received(6);
  hub.degrade({ since: 0, cause: 'stalled' });
  await received(7);
  hub.recover({ since: 0, until: 1, backfilled: true });
  const entries = await wholeLog(database);
  const [first, second, , newest] = entries.map(({ seq, hash }) => ({ seq, hash }));
  const heads = (await received(8)).map(({ type, data, log }) => [type, data === undefined ? log : data.log]);
  expect(heads).toEqual([
    ['connected', newest],
    ['alert', first],
    ['alert', second],
    ['alert', newest],
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

test('the frame of an outcome has what GET /outcomes/{number} has', async () => {
  const { baseUrl, issue, get, append, hub, database, logHeads } = await startApi();
  const { secret } = await issue({ tier: 'pro' });
  await append(alertOf({ id: 1, marketId: '0xa' }));
  const body = { market_id: '0xa', outcomes: ['Yes', 'No'], payouts: [1, 0] };
  await appendDrafts(database.log, [{ kind: 'settlement', key: 'settlement:0xa:0', at: START, body }]);
  const settlements = new SettlementReader(database);
  await settlements.sequence.refresh();
  const settled = await settlements.one(1);
  if (settled === null) throw new Error('no outcome');
  const { received } = connectStream(baseUrl, `api_key=${secret}&outcomes=true`);
  await received(1);
  hub.sendEvent(hub.clientsOf('outcome'), new JsonFrames(logHeads).outcome(settled));

  const [, frame] = await received(2);
  expect(frame).toMatchObject({ type: 'outcome', data: (await get('/outcomes/1', secret)).body });
});

test('test=1 sends one invented alert after connected, which no answer has', async () => {
  const { baseUrl, issue, get, append } = await startApi();
  const { secret } = await issue({ tier: 'pro' });
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
