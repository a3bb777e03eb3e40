import { expect, test } from 'vitest';
import { alertOf } from '../../../support/alerts.ts';
import { openStreamFixture, settle } from '../../../support/stream-fixture.ts';

test('several alerts are written to a socket together, one alone immediately', async () => {
  const fixture = await openStreamFixture(3);
  const { socket } = fixture.connect({ since: 0 });
  const calls: string[] = [];
  for (const name of ['hold', 'send', 'release'] as const)
    Object.assign(socket, { [name]: () => void calls.push(name) });

  await settle();
  expect(calls.splice(0)).toEqual(['hold', 'send', 'send', 'send', 'release']);

  fixture.publish(alertOf({ id: 4 }));
  await settle();
  expect(calls).toEqual(['send']);
});
