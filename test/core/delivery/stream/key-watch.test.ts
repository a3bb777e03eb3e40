import { expect, test, vi } from 'vitest';
import type { ApiKey } from '../../../../src/core/accounts/keys/api-key.ts';
import { KeyWatch } from '../../../../src/core/delivery/stream/key-watch.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { keyOf, settle } from '../../../support/stream-fixture.ts';

const KEY = keyOf('a', 'pro');

function openWatch() {
  const rows: ApiKey[] = [KEY];
  const changes = vi.fn(async () => 1);
  const byIds = vi.fn(async (ids: readonly string[]) => rows.filter(({ id }) => ids.includes(id)));
  const onLoss = vi.fn();
  const clock = createFakeClock(START);
  const watch = new KeyWatch({ keys: { changes, byIds }, clock, logger: silentLogger, onLoss });
  const check = async () => {
    watch.check();
    await settle(3);
  };
  return { watch, check, changes, byIds, onLoss, rows };
}

test('rows are not asked for while no key has changed and no socket is new', async () => {
  const { watch, check, changes, byIds, onLoss } = openWatch();
  watch.add(KEY, { lookup: 'a' });
  for (let round = 0; round < 5; round += 1) await check();

  expect(changes).toHaveBeenCalledTimes(5);
  expect(byIds.mock.calls).toEqual([[['a']]]);
  expect(onLoss).not.toHaveBeenCalled();
});

test('a key is watched until its last socket has left', async () => {
  const { watch, check, changes } = openWatch();
  const clients = [{ lookup: 'a' }, { lookup: 'a' }] as const;
  for (const client of clients) watch.add(KEY, client);
  await check();
  watch.remove('a', clients[0]);
  watch.remove('unknown', clients[0]);
  await check();
  expect(changes).toHaveBeenCalledTimes(2);

  watch.remove('a', clients[1]);
  await check();
  expect(changes).toHaveBeenCalledTimes(2);
});
