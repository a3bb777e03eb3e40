import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatStore } from '../../../src/core/chat/chat-store.ts';
import { followerOf } from '../../support/followers.ts';
import {
  ANN,
  ANNS_KEY,
  away,
  type ConsoleFixture,
  namesake,
  openConsoleFixture,
  wordsOfScreen,
} from './console-fixture.ts';

async function notes({ database, clock }: ConsoleFixture) {
  const due = await database.chat.due({ lane: 'private', now: clock.now(), limit: 10 });
  return due.map(({ recipient, kind, facts }) => ({ recipient, kind, facts }));
}

const noteTo = (text: unknown) => ({
  recipient: `customer:${ANN.id}`,
  kind: 'operator_note',
  facts: { text },
});

describe('provision', () => {
  test.each([
    ['Acme', 'Acme', null, null],
    ['Acme desk for @ann', 'Acme desk', ANN.id, null],
    ['Keys for trading for @ann', 'Keys for trading', ANN.id, null],
    ['"Keys for trading" for @ann', 'Keys for trading', ANN.id, null],
    ['“Keys for trading”', 'Keys for trading', null, null],
    ['rpm=1200 Acme', 'Acme', null, { requestsPerMinute: 1_200, maxSockets: null }],
    ['Acme for @ann rpm=1200 SOCKETS=7', 'Acme', ANN.id, { requestsPerMinute: 1_200, maxSockets: 7 }],
  ])('%s', async (line, name, customerId, limits) => {
    const stand = await openConsoleFixture();
    const screen = await stand.type(`provision ${line}`);
    expect(screen?.name).toBe('admin_provisioned');
    const key = await stand.database.keys.byId(screen?.secret?.keyId ?? '');
    expect(key).toMatchObject({ name, customerId, limits, tier: 'enterprise' });
    expect(await notes(stand)).toHaveLength(customerId === null ? 0 : 1);
  });

  test.each([
    ['', 'LABEL is missing'],
    ['for @ann', 'LABEL is missing'],
    ['rpm=5', 'LABEL is missing'],
    ['Acme for', 'CUSTOMER is missing'],
    ['Acme rpm=0', 'rpm is a whole number from 1'],
    ['Acme sockets=many', 'sockets is a whole number from 1'],
  ])('“%s” is answered with what is wrong, and the usage', async (line, words) => {
    const { type, audited } = await openConsoleFixture();
    const screen = await type(`provision ${line}`);
    expect(screen?.name).toBe('admin_bad_arguments');
    expect(wordsOfScreen(screen)).toContain(words);
    expect(wordsOfScreen(screen)).toContain('Usage: /provision LABEL [for CUSTOMER] [rpm=N] [sockets=N]');
    expect(await audited()).toEqual([]);
  });

  test('gives no key for a customer who is not found or is banned', async () => {
    const stand = await openConsoleFixture();
    expect(await stand.ask('provision Acme for @bob')).toContain('No customer matches “@bob”');
    await stand.deps.customers.ban(ANN.id);
    expect(await stand.ask('provision Acme for @ann')).toContain('is banned');
    expect(await stand.database.keys.list()).toHaveLength(1);
  });
});

describe('keys and customers', () => {
  test('a tier is raised and lowered after confirmation; the owner gets a message', async () => {
    const stand = await openConsoleFixture();
    expect((await stand.type(`tier ${ANNS_KEY.id} pro`))?.name).toBe('admin_confirm');
    expect((await stand.database.keys.byId(ANNS_KEY.id))?.tier).toBe('enterprise');

    expect((await stand.confirm(`tier ${ANNS_KEY.id} FREE`))?.name).toBe('admin_done');
    const raise = `tier sk_live_${ANNS_KEY.lookup}… enterprise`;
    expect(await stand.ask(raise)).toContain('from free to enterprise? Its owner is notified.');
    expect((await stand.confirm(raise))?.name).toBe('admin_done');

    expect((await stand.database.keys.byId(ANNS_KEY.id))?.tier).toBe('enterprise');
    expect((await notes(stand)).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual(
      [
        noteTo(`Your key “${ANNS_KEY.name}” is enterprise now.`),
        noteTo(`Your key “${ANNS_KEY.name}” is free now.`),
      ],
    );
    expect(await stand.ask(`tier ${ANNS_KEY.id} enterprise`)).toContain('is enterprise already');
  });

  test('pro lasts as many days as asked for', async () => {
    const stand = await openConsoleFixture();
    expect(await stand.ask(`tier ${ANNS_KEY.id} pro 14d`)).toContain('from enterprise to pro for 14 days?');
    await stand.confirm(`tier ${ANNS_KEY.id} pro 14d`);
    const key = await stand.database.keys.byId(ANNS_KEY.id);
    expect(key).toMatchObject({ tier: 'pro', trialEndsAt: stand.clock.now() + 14 * DAY_MS });
    expect(await notes(stand)).toEqual([noteTo(expect.stringMatching(/ is pro until 20\d\d-.* UTC now\.$/))]);
  });

  test('for a customer without a chat that a bot can write to, the screen says that they get no message', async () => {
    const stand = await openConsoleFixture();
    const eve = { platform: 'terminal', userId: 'eve', name: 'eve', chat: 'eve' } as const;
    await stand.add({ ...ANN, id: 'cus_eve', ...eve });
    expect(await stand.ask('provision Desk for terminal:eve')).toContain('They get no message');
    expect(await notes(stand)).toEqual([]);
  });

  test.each([
    '',
    'key_a',
    'key_a gold',
    'key_a free 7d',
    'key_a pro 0',
    'key_a pro 1.5',
    'key_a pro soon',
    'key_a pro 7 8',
  ])('tier “%s” is no key and tier', async (line) => {
    const { type } = await openConsoleFixture();
    expect((await type(`tier ${line}`))?.name).toBe('admin_bad_arguments');
  });

  test('a key is revoked permanently, and its owner gets a message', async () => {
    const stand = await openConsoleFixture();
    expect((await stand.confirm(`revoke ${ANNS_KEY.id}`))?.name).toBe('admin_done');
    expect((await stand.database.keys.byId(ANNS_KEY.id))?.revokedAt).toBe(stand.clock.now());
    expect(await notes(stand)).toEqual([noteTo(`The operator revoked your key “${ANNS_KEY.name}”.`)]);
    expect(await stand.ask(`revoke ${ANNS_KEY.id}`)).toContain('is revoked already');
    expect(await stand.ask(`tier ${ANNS_KEY.id} free`)).toContain('is revoked permanently');
  });

  test('a banned customer gets no message about it, and is let in again by “off”', async () => {
    const stand = await openConsoleFixture();
    expect((await stand.confirm('ban @ann'))?.name).toBe('admin_done');
    expect((await stand.deps.customers.byId(ANN.id))?.bannedAt).toBe(stand.clock.now());
    expect(await stand.ask('ban @ann')).toContain('is banned already');
    expect(await notes(stand)).toEqual([]);
    expect((await stand.type('ban telegram:77 off'))?.name).toBe('admin_done');
    expect(await stand.ask('ban telegram:77 off')).toContain('is not banned');
  });

  test('a customer is erased after confirmation, as by their own /delete; the audit log keeps the id alone', async () => {
    const stand = await openConsoleFixture();
    const { customers } = stand.deps;
    await stand.database.followers.put(followerOf(ANN.id));
    expect(await stand.ask('erase @ann')).toContain('Erase cus_ann (telegram @ann (telegram:77))?');
    expect(await customers.byId(ANN.id)).not.toBeNull();

    expect((await stand.confirm('erase @ann'))?.name).toBe('admin_done');

    expect(await customers.byId(ANN.id)).toBeNull();
    expect(await stand.database.followers.get(ANN.id)).toBeNull();
    expect(await customers.keysOf(ANN.id)).toEqual([]);
    expect(stand.removed).toEqual(['77']);
    const entries = (await stand.audited()).slice(-3);
    expect(entries.at(-1)).toBe('telegram:123 | erase | cus_ann | done: cus_ann is erased.');
    expect(entries.join()).not.toMatch(/@ann|:77/);
    expect(await notes(stand)).toEqual([]);
    expect(await stand.ask('erase cus_ann')).toContain('No customer matches');
  });

  test('a text that means several people is refused with their names', async () => {
    const stand = await openConsoleFixture();
    await stand.add(namesake('cus_other'));
    const words = await stand.ask('ban @ann');
    expect(words).toContain('matches 2 customers: cus_ann (telegram @ann (telegram:77)), cus_other');
  });

  test('an act remains in effect when the message to its owner fails, and the screen says so', async () => {
    const chat = { add: away } as unknown as ChatStore;
    const stand = await openConsoleFixture(() => ({ database: { chat } }));
    const screen = await stand.confirm(`revoke ${ANNS_KEY.id}`);
    expect(screen?.name).toBe('admin_done');
    expect(wordsOfScreen(screen)).toContain('They get no message');
    expect((await stand.database.keys.byId(ANNS_KEY.id))?.revokedAt).not.toBeNull();
  });
});
