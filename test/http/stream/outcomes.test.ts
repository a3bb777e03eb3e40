import { expect, onTestFinished, test } from 'vitest';
import { SettlementReader } from '../../../src/core/alerts/settlements/settlement-reader.ts';
import { SettlementStream } from '../../../src/core/delivery/stream/settlement-stream.ts';
import { JsonFrames } from '../../../src/http/stream/encode-frames.ts';
import { alertOf } from '../../support/alerts.ts';
import { startApi } from '../../support/api-server.ts';
import { appendDrafts } from '../../support/log-entries.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { connectStream } from '../../support/stream-client.ts';

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
