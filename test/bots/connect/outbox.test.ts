import { expect, onTestFinished, test } from 'vitest';
import type { Screen } from '../../../bots/shared/screen.ts';
import { ChatEngine } from '../../../src/core/chat/chat-engine.ts';
import type { DestinationAnswer } from '../../../src/core/follow/destination.ts';
import type { Destination } from '../../../src/core/follow/follower.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { choiceOf, engineParts, fakeCustomers, settle } from '../../support/chat/chat-engine-fixture.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { answered, DISCORD, message, openConnect, SLACK } from './connect-fixture.ts';

const ALERTS = [1, 2, 3];
const idOf = (alertId: number) => `personal:${alertId}@ann`;

async function sendAll(destination: Destination, ...answers: readonly DestinationAnswer[]) {
  const connect = openConnect(destination, ...answers);
  const { clock, messenger } = connect;
  const database = await openDatabase('sqlite::memory:');
  await database.chat.add(ALERTS.map((id) => personalOf(id, 'ann', { place: 'connect', score: id })));
  const engine = new ChatEngine<Screen>({
    ...engineParts(database),
    ...{ messengers: { connect: messenger }, customers: fakeCustomers(), clock },
    present: async ({ id }) => message(id),
    choice: choiceOf((due) => ({ act: 'send', message: due, to: { chat: 'ann', handle: null } })),
  });
  engine.start();
  onTestFinished(async () => {
    await engine.close();
    await database.close();
  });
  for (let second = 0; second < 20; second += 1) {
    await settle();
    await clock.advance(1_000);
  }
  await settle();
  const stored = await Promise.all(ALERTS.map((id) => database.chat.byId(idOf(id))));
  return { ...connect, states: stored.map((row) => row?.state), places: stored.map((row) => row?.place) };
}

test('alerts of one person that are due together leave as one request, the best first, and each is sent', async () => {
  const { requests, states, places } = await sendAll(SLACK);
  expect(requests.map(({ body }) => JSON.parse(body).text)).toEqual([[3, 2, 1].map(idOf).join('\n\n')]);
  expect(states).toEqual(['sent', 'sent', 'sent']);
  expect(JSON.stringify(places)).not.toContain('secret');
});

test('alerts that a deleted webhook refuses go to the next list, and the address ends', async () => {
  const { requests, states, ended } = await sendAll(DISCORD, answered(404));
  expect(requests).toHaveLength(1);
  expect(states).toEqual(['folded', 'folded', 'folded']);
  expect(ended).toEqual([{ customerId: 'ann', destination: DISCORD, status: 404 }]);
});

test('alerts that a service takes later are sent then, as one again', async () => {
  const { requests, states } = await sendAll(SLACK, answered(429, { retryAfterMs: 5_000 }));
  expect(requests).toHaveLength(2);
  expect(states).toEqual(['sent', 'sent', 'sent']);
});
