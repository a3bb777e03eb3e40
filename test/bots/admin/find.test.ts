import { describe, expect, test } from 'vitest';
import { START } from '../../support/rows.ts';
import {
  ANN,
  ANNS_KEY,
  actionsOf,
  keyOf,
  namesake,
  openConsoleFixture,
  wordsOfScreen,
} from './console-fixture.ts';

describe('find', () => {
  test.each(['@ann', 'ann', 'telegram:77', ANN.id, ANNS_KEY.id, `sk_live_${ANNS_KEY.lookup}`, 'ANN’S'])(
    '%s leads to the customer with handles, trial, keys and usage today',
    async (text) => {
      const { type, database, clock } = await openConsoleFixture();
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      await database.usage.add(day, new Map([[ANNS_KEY.id, 12]]));
      const screen = await type(`find ${text}`);
      const words = wordsOfScreen(screen);
      expect(words).toContain(ANN.id);
      expect(words).toContain('telegram @ann (telegram:77)');
      expect(words).toMatch(/Trial: until 20\d\d-/);
      expect(words).toContain(
        `${ANNS_KEY.id} sk_live_${ANNS_KEY.lookup}… “${ANNS_KEY.name}” enterprise, 12 calls today`,
      );
      expect(actionsOf(screen)).toEqual([`admin:do:revoke ${ANNS_KEY.id}`, `admin:do:ban ${ANN.id}`]);
    },
  );

  test('keys without a chat customer and revoked keys are found by label, id and first characters', async () => {
    const { ask, database } = await openConsoleFixture();
    await database.keys.insert(
      keyOf({ id: 'key_acme', name: 'Acme', limits: { requestsPerMinute: 900, maxSockets: 3 } }),
    );
    await database.keys.insert(
      keyOf({ id: 'key_old', name: 'Acme old', customerId: ANN.id, revokedAt: START }),
    );
    const words = await ask('find acme');
    expect(words).toMatch(/key_acme .*“Acme” free, no chat customer, 900 a minute, 3 sockets, 0 calls today/);
    expect(words).toMatch(/key_old .*“Acme old” free, revoked 20\d\d-/);
    expect(await ask('find key_acme')).toContain('“Acme” free');
  });

  test('too few first characters of a key are refused with the number required', async () => {
    const { ask } = await openConsoleFixture();
    expect(await ask('find sk_live_abc')).toContain('and the next 10 characters or more');
    expect(await ask('find sk_live_abcdefghij')).not.toContain('characters');
  });

  test('customers beyond the first four are listed by name; a search without a match says so', async () => {
    const { ask, add } = await openConsoleFixture();
    for (let count = 0; count < 9; count += 1) await add(namesake(`cus_${count}`));
    const words = await ask('find @ann');
    expect(words).toContain('And 5 more:\ncus_4 telegram @ann');
    expect(await ask('find @bob')).toContain('Nothing matches “@bob”');
    expect((await ask(`find ${'x'.repeat(5_000)}`)).length).toBeLessThan(200);
  });

  test('a banned customer is shown as such, and may be unbanned by a tap', async () => {
    const { type, deps } = await openConsoleFixture();
    await deps.customers.ban(ANN.id);
    const screen = await type('find @ann');
    expect(wordsOfScreen(screen)).toMatch(/Banned since 20\d\d-/);
    expect(actionsOf(screen)).toContain(`admin:do:unban ${ANN.id}`);
  });
});
