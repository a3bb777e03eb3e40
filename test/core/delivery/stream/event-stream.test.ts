import { expect, onTestFinished, test, vi } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { ExitReader } from '../../../../src/core/alerts/exits/exit-reader.ts';
import { settlementDraft } from '../../../../src/core/alerts/ledger/log-drafts.ts';
import { SettlementReader } from '../../../../src/core/alerts/settlements/settlement-reader.ts';
import { EventStream } from '../../../../src/core/delivery/stream/event-stream.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { alertOf, exitOf, settlementOf } from '../../../support/alerts.ts';
import { appendDrafts } from '../../../support/log-entries.ts';
import { START } from '../../../support/rows.ts';
import { storeAlerts, storeExits } from '../../../support/stored.ts';
import { type FakeSocket, openStreamFixture, settle } from '../../../support/stream-fixture.ts';

type StreamFixture = Awaited<ReturnType<typeof openStreamFixture>>;

const ALERTS = [
  alertOf({ id: 1, marketId: 'tech', category: 'tech' }),
  alertOf({ id: 2, marketId: 'crypto', category: 'crypto' }),
  alertOf({ id: 3, marketId: 'history', isHistory: true }),
];

async function openOutcomes(alerts: readonly Alert[] = ALERTS, onOpen = (_: StreamFixture) => {}) {
  const fixture = await openStreamFixture();
  const { hub, clock } = fixture;
  const { log, alertIndex } = await openDatabase('sqlite::memory:');
  const ofMarket = vi.fn(async (id: string) => alerts.filter(({ marketId }) => marketId === id));
  const warn = vi.fn();
  const outcomes = new EventStream({
    ...{ hub, clock, logger: { warn }, defer: setImmediate },
    kind: 'outcome',
    events: new SettlementReader({ alertIndex, alerts: { ofMarket } }),
    frameOf: ({ settlement: { number: id } }) =>
      new TextEncoder().encode(JSON.stringify({ type: 'outcome', id })),
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const resolve = async (...markets: readonly string[]) => {
    for (const marketId of markets) {
      const last = await log.last();
      await appendDrafts(log, [settlementDraft(settlementOf({ marketId }), START, last && { log: last })]);
    }
  };
  await resolve('tech');
  await outcomes.open();
  onOpen(fixture);
  void outcomes.run(stop.signal);
  await settle();
  const pass = async (ms: number) => {
    await clock.advance(ms);
    await settle();
  };
  return { ...fixture, log, ofMarket, warn, resolve, pass };
}

const numbersOf = ({ frames }: FakeSocket, wanted = 'outcome') =>
  frames.flatMap(({ type, id }) => (type === wanted && id !== undefined ? id : []));

test('new outcomes are sent in order, within 250 ms, to the clients that asked and whose filter an alert of the market passes', async () => {
  const { connect, resolve, pass } = await openOutcomes();
  const [all, tech, none] = [
    connect({ events: ['outcome'] }),
    connect({ events: ['outcome'], filter: { categories: ['tech'] } }),
    connect(),
  ].map(
    ({ socket }) =>
      () =>
        numbersOf(socket),
  );
  const sent = () => [all?.(), tech?.(), none?.()];

  await resolve('crypto', 'history', 'without alerts', 'tech');
  await pass(250);
  expect(sent()).toEqual([[2, 5], [5], []]);
  await resolve('tech');
  await pass(250);
  expect(sent()).toEqual([[2, 5, 6], [5, 6], []]);
});

test('outcomes from before the stream is open are not sent', async () => {
  const sockets: FakeSocket[] = [];
  const { resolve, pass } = await openOutcomes(ALERTS, ({ connect }) => {
    sockets.push(connect({ events: ['outcome'] }).socket);
  });
  await resolve('crypto');
  await pass(250);
  expect(sockets.map((socket) => numbersOf(socket))).toEqual([[2]]);
});

test('outcomes that no client asked for are not read, and not sent to who comes later', async () => {
  const { connect, ofMarket, resolve, pass } = await openOutcomes();
  await resolve('crypto');
  await pass(250);
  expect(ofMarket).not.toHaveBeenCalled();
  const { socket } = connect({ events: ['outcome'] });
  await resolve('crypto');
  await pass(250);
  expect(numbersOf(socket)).toEqual([3]);
});

test('a log that does not answer is asked every second, which is logged, and no outcome is skipped', async () => {
  const { connect, log, warn, resolve, pass } = await openOutcomes();
  const { socket } = connect({ events: ['outcome'] });
  const after = vi.spyOn(log, 'after').mockRejectedValue(new Error('the database is away'));
  await resolve('crypto', 'tech');
  await pass(3_249);
  expect([after.mock.calls.length, warn.mock.calls.length]).toEqual([3, 3]);
  after.mockRestore();
  await pass(1_000);
  expect(numbersOf(socket)).toEqual([2, 3]);
});

test('the loop has its turn after every 125 clients of an outcome', async () => {
  const { connect, counts, resolve, clock } = await openOutcomes();
  const clients = Array.from({ length: 300 }, () => connect({ events: ['outcome'] }));
  await resolve('crypto');
  await clock.advance(250);
  const steps: number[] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    const { sent } = counts;
    await settle(1);
    steps.push(counts.sent - sent);
  }
  expect(Math.max(...steps)).toBeLessThanOrEqual(125);
  expect(clients.map(({ socket }) => numbersOf(socket))).toEqual(clients.map(() => [2]));
});

test('an exit is sent to the clients that asked for exits and whose filter the newest alert of its thread passes', async () => {
  const { hub, clock, connect } = await openStreamFixture();
  const database = await openDatabase('sqlite::memory:');
  onTestFinished(() => database.close());
  await storeAlerts(database, ...ALERTS);
  const exits = new EventStream({
    ...{ hub, clock, logger: { warn: vi.fn() }, defer: setImmediate, kind: 'exit' },
    events: new ExitReader(database),
    frameOf: ({ number: id }) => new TextEncoder().encode(JSON.stringify({ type: 'exit', id })),
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  await exits.open();
  void exits.run(stop.signal);
  const sockets = [
    connect({ events: ['exit'] }),
    connect({ events: ['outcome', 'exit'], filter: { categories: ['crypto'] } }),
    connect({ events: ['outcome'] }),
  ].map(({ socket }) => socket);

  await storeExits(
    database,
    exitOf({ number: 1, alertIds: [1] }),
    exitOf({ number: 2, alertIds: [1, 2] }),
    exitOf({ number: 3, alertIds: [1], isHistory: true }),
    exitOf({ number: 4, alertIds: [1], level: 'out' }),
  );
  await settle();
  await clock.advance(250);
  await settle();
  expect(sockets.map((socket) => numbersOf(socket, 'exit'))).toEqual([[1, 2, 4], [2], []]);
});
