import { expect, test } from 'vitest';
import { openStreamFixture } from '../../../support/stream-fixture.ts';

const FRAME = new TextEncoder().encode('{"type":"outcome"}');

test('an outcome reaches a client that is behind with alerts, and ends one that does not read at all', async () => {
  const { hub, connect, ended } = await openStreamFixture();
  const behind = connect({ wantsOutcomes: true, isSlow: true }).socket;
  const stuck = connect({ wantsOutcomes: true, isSlow: true }).socket;
  const other = connect().socket;
  behind.unsent = 2_000_000;
  stuck.unsent = 4_000_000;

  hub.sendOutcome(hub.outcomeClients(), FRAME);

  const types = [behind, stuck, other].map(({ frames }) => frames.map(({ type }) => type));
  expect(types).toEqual([['connected', 'outcome'], ['connected', 'outcome'], ['connected']]);
  expect([behind.closed, stuck.closed?.code, ended]).toEqual([null, 4409, ['tooSlow']]);
  hub.sendOutcome([], FRAME);
  expect(hub.outcomeClients()).toHaveLength(1);
});
