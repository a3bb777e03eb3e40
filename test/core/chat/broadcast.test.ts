import { expect, test } from 'vitest';
import { broadcast, countBroadcast } from '../../../src/core/chat/broadcast.ts';
import { fakeCustomers, handleOn, openChatEngineFixture } from '../../support/chat/chat-engine-fixture.ts';

test('a broadcast reaches every reachable customer once, and their number is known before it is sent', async () => {
  const { store, clock } = await openChatEngineFixture();
  const many = Array.from({ length: 401 }, (_, index) => {
    const id = `cus_${String(index).padStart(3, '0')}`;
    return [id, handleOn('telegram', id)] as const;
  });
  const customers = fakeCustomers({
    ...Object.fromEntries(many),
    cus_away: handleOn('telegram', 'away', false),
    cus_elsewhere: handleOn('discord', 'elsewhere'),
    cus_terminal: handleOn('terminal', 'terminal'),
  });
  const deps = { store, customers, clock, platforms: ['telegram'] } as const;

  expect(await countBroadcast(deps)).toEqual({ telegram: 401, discord: 0 });
  expect(await store.counts(0)).toMatchObject({ pending: 0 });
  expect(await broadcast(deps, { id: 'b1', text: 'Hello.' })).toBe(401);
  expect(await broadcast(deps, { id: 'b1', text: 'Hello.' })).toBe(0);

  expect(await store.counts(0)).toMatchObject({ pending: 401 });
  expect(await store.byId('broadcast:b1:cus_400')).toMatchObject({
    recipient: 'customer:cus_400',
    kind: 'broadcast',
    facts: { text: 'Hello.' },
  });
});

test('the banned and the unreachable do not count', async () => {
  const { store, clock } = await openChatEngineFixture();
  const customers = fakeCustomers({
    cus_here: handleOn('telegram', 'here'),
    cus_there: handleOn('discord', 'there'),
    cus_away: handleOn('telegram', 'away', false),
    cus_banned: handleOn('telegram', 'banned'),
  });
  const page: typeof customers.page = async (query) =>
    (await customers.page(query)).map((one) => (one.id === 'cus_banned' ? { ...one, bannedAt: 1 } : one));
  const deps = { store, customers: { page }, clock, platforms: ['telegram', 'discord'] } as const;

  expect(await countBroadcast(deps)).toEqual({ telegram: 1, discord: 1 });
  expect(await broadcast(deps, { id: 'b1', text: 'Hello.' })).toBe(2);
});
