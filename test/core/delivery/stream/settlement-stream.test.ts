import { expect, onTestFinished, test, vi } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { SettlementReader } from '../../../../src/core/alerts/settlements/settlement-reader.ts';
import { SettlementStream } from '../../../../src/core/delivery/stream/settlement-stream.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { alertOf } from '../../../support/alerts.ts';
import { appendDrafts } from '../../../support/log-entries.ts';
import { START } from '../../../support/rows.ts';
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
  const { log } = await openDatabase('sqlite::memory:');
  const ofMarket = async (id: string) => alerts.filter(({ marketId }) => marketId === id);
  const warn = vi.fn();
  const outcomes = new SettlementStream({
    ...{ hub, clock, logger: { warn }, defer: setImmediate },
    settlements: new SettlementReader({ log, alerts: { ofMarket } }),
    frameOf: ({ settlement: { number: id } }) =>
      new TextEncoder().encode(JSON.stringify({ type: 'outcome', id })),
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const resolve = (...markets: readonly string[]) =>
    appendDrafts(
      log,
      markets.map((id) => ({
        ...{ kind: 'outcome', subject: `market:${id}`, at: START },
        body: { market_id: id, outcomes: ['Yes', 'No'], payouts: [1, 0] },
      })),
    );
  await resolve('tech');
  await outcomes.open();
  onOpen(fixture);
  void outcomes.run(stop.signal);
  await settle();
  const pass = async (ms: number) => {
    await clock.advance(ms);
    await settle();
  };
  return { ...fixture, log, warn, resolve, pass };
}

const numbersOf = ({ frames }: FakeSocket) =>
  frames.flatMap(({ type, id }) => (type === 'outcome' && id !== undefined ? id : []));

test('new outcomes are sent in order, within 250 ms, to the clients that asked and whose filter an alert of the market passes', async () => {
  const { connect, resolve, pass } = await openOutcomes();
  const [all, tech, none] = [
    connect({ wantsOutcomes: true }),
    connect({ wantsOutcomes: true, filter: { categories: ['tech'] } }),
    connect(),
  ].map(({ socket }) => numbersOf.bind(null, socket));
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
    sockets.push(connect({ wantsOutcomes: true }).socket);
  });
  await resolve('crypto');
  await pass(250);
  expect(sockets.map(numbersOf)).toEqual([[2]]);
});

test('outcomes that no client asked for are not read, and not sent to who comes later', async () => {
  const { connect, log, resolve, pass } = await openOutcomes();
  const some = vi.spyOn(log, 'some');
  await resolve('crypto');
  await pass(250);
  expect(some).not.toHaveBeenCalled();
  const { socket } = connect({ wantsOutcomes: true });
  await resolve('crypto');
  await pass(250);
  expect(numbersOf(socket)).toEqual([3]);
});

test('a log that does not answer is asked every second, which is logged once, and no outcome is skipped', async () => {
  const { connect, log, warn, resolve, pass } = await openOutcomes();
  const { socket } = connect({ wantsOutcomes: true });
  const some = vi.spyOn(log, 'some').mockRejectedValue(new Error('the database is away'));
  await resolve('crypto', 'tech');
  await pass(3_249);
  expect([some.mock.calls.length, warn.mock.calls.length]).toEqual([3, 1]);
  some.mockRestore();
  await pass(1_000);
  expect(numbersOf(socket)).toEqual([2, 3]);
});

test('the loop has its turn after every 125 clients of an outcome', async () => {
  const { connect, counts, resolve, clock } = await openOutcomes();
  const clients = Array.from({ length: 300 }, () => connect({ wantsOutcomes: true }));
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
