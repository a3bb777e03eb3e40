import { expect, onTestFinished, test } from 'vitest';
import { createTipoff, type FollowOptions, type StreamEvent } from '../../clients/typescript/src/index.ts';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';
import { appendDrafts } from '../support/log-entries.ts';
import { START } from '../support/rows.ts';
import { type StandIn, startStandIn } from '../support/stream-stand-in.ts';
import { alert, connected, until } from './follow-fixture.ts';

const outcome = (number: number) => ({ type: 'outcome', data: { number } });
const named = ({ type, data }: StreamEvent) => `${type} ${type === 'alert' ? data.id : data.number}`;

type Events = FollowOptions & { readonly outcomes: true };

function followEvents(service: Pick<StandIn, 'url'>, options: FollowOptions = {}, apiKey = 'sk_live_test') {
  const stop = new AbortController();
  const got: string[] = [];
  const tipoff = createTipoff({ url: service.url, apiKey, wait: async () => {} });
  const run = async () => {
    const events = tipoff.follow({ sinceId: 0, outcomes: true, ...options, signal: stop.signal } as Events);
    for await (const event of events) got.push(named(event));
  };
  const ended = run();
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return got;
}

test('outcomes come once, in the order of numbers, whatever the stream left out or was sent between connections', async () => {
  const standIn = await startStandIn();
  standIn.outcomes = 3;
  const got = followEvents(standIn, { sinceOutcome: 1 });
  const first = await connected(standIn);
  expect(first.query.get('outcomes')).toBe('true');
  first.send(alert(1));
  await until(() => got.length === 3);
  expect(got.splice(0)).toEqual(['outcome 2', 'outcome 3', 'alert 1']);
  for (const number of [3, 4]) first.send(outcome(number));
  await until(() => got.length === 1);
  // 5 was not sent, and the process that answers does not know 6 yet.
  standIn.outcomes = 5;
  first.send(outcome(6));
  await until(() => got.length === 3);
  standIn.outcomes = 7;
  first.drop();
  const second = await connected(standIn);
  second.send(outcome(7));
  second.send(alert(2));
  await until(() => got.length === 5);
  expect(got).toEqual(['outcome 4', 'outcome 5', 'outcome 6', 'outcome 7', 'alert 2']);
});

test('without sinceOutcome the outcomes from now on come', async () => {
  const standIn = await startStandIn();
  standIn.outcomes = 8;
  const got = followEvents(standIn);
  (await connected(standIn)).send(outcome(9));
  await until(() => got.length === 1);
  expect(got).toEqual(['outcome 9']);
  expect(standIn.asked[0]).toBe('/api/v1/outcomes?after=0&limit=1');
});

test('on the service: outcomes and alerts', async () => {
  const { baseUrl, append, issue, database } = await startApi();
  await append(alertOf({ id: 1, marketId: '0xa' }));
  const body = { market_id: '0xa', outcomes: ['Yes', 'No'], payouts: [1, 0] };
  await appendDrafts(database.log, [{ kind: 'settlement', key: 'settlement:0xa:0', at: START, body }]);
  const { secret } = await issue({ tier: 'pro' });
  const got = followEvents({ url: baseUrl }, { sinceId: 0, sinceOutcome: 0 }, secret);
  await until(() => got.length === 2);
  expect(got).toEqual(['outcome 1', 'alert 1']);
});

test('exits come once, in the order of numbers, beside outcomes or alone', async () => {
  const standIn = await startStandIn();
  [standIn.exits, standIn.outcomes] = [3, 1];
  const exit = (number: number) => ({ type: 'exit', data: { number } });
  const both = followEvents(standIn, { exits: true, sinceExit: 1, sinceOutcome: 0 });
  const first = await connected(standIn);
  expect([first.query.get('outcomes'), first.query.get('exits')]).toEqual(['true', 'true']);
  first.send(exit(3));
  standIn.exits = 4;
  first.send(exit(5));
  await until(() => both.length === 5);
  expect(both).toEqual(['outcome 1', 'exit 2', 'exit 3', 'exit 4', 'exit 5']);

  const alone = followEvents(standIn, { exits: true, outcomes: false });
  const second = await connected(standIn);
  expect([second.query.get('outcomes'), second.query.get('exits')]).toEqual([null, 'true']);
  second.send(outcome(2));
  second.send(exit(5));
  await until(() => alone.length === 1);
  expect(alone).toEqual(['exit 5']);
});
