import { describe, expect, test } from 'vitest';
import { consoleCommands } from '../../../bots/admin/commands/table.ts';
import { hideSecrets } from '../../../bots/admin/record-acts.ts';
import type { Actor } from '../../../bots/shared/conversation.ts';
import { end } from '../../core/chat/chat-store-fixture.ts';
import { postOf } from '../../support/chat/messages.ts';
import { customerOf } from '../../support/customer-fixture.ts';
import {
  ADMIN,
  ANN,
  ANNS_KEY,
  actionsOf,
  actorOf,
  away,
  keyOf,
  OTHER_ADMIN,
  openConsoleFixture,
  STRANGER,
  wordsOfScreen,
} from './console-fixture.ts';

const WALLET = '0x00000000000000000000000000000000000000aa';

/** A command line that works for each command of the table; a command without one fails the walk. */
const WORKING: Readonly<Record<string, string>> = {
  stats: '',
  health: '',
  find: '@ann',
  provision: 'Acme',
  tier: `${ANNS_KEY.id} free`,
  revoke: ANNS_KEY.id,
  ban: ANN.id,
  erase: ANN.id,
  why: '1',
  pause: 'feed',
  resume: 'posts',
  withdraw: '1',
  hide: `${WALLET} asked for by its owner`,
  broadcast: 'Hello all of you',
};

const ODD = [
  ...['', ' ', '0', '-1', '1e9', 'cus_ann', ANNS_KEY.id, '"', '\u0000', '💥'.repeat(50)],
  ...["'; DROP TABLE audit; --", '$where', '{"$gt":""}', '../../etc/passwd', 'x'.repeat(5_000), '--yes'],
];

const COMMANDS = consoleCommands();
const IRREVERSIBLE = COMMANDS.filter(({ isIrreversible }) => isIrreversible);

async function openStand() {
  const stand = await openConsoleFixture();
  await stand.add(customerOf('cus_banned', { bannedAt: 1 }));
  await stand.database.pauses.pause({ name: 'posts', at: 1, by: 'telegram:123' });
  await stand.database.chat.add([postOf(2)]);
  await end(stand.database.chat, 'alert:2@telegram', {
    state: 'unknown',
    error: 'timeout',
    at: 1,
    unsureSince: 1,
  });
  const state = async () =>
    JSON.stringify([
      ...(await Promise.all([
        stand.database.keys.list(),
        stand.database.pauses.list(),
        stand.database.hiddenWallets.list(),
        stand.database.audit.list({ limit: 100 }),
        stand.database.chat.counts(0),
        stand.deps.customers.byId(ANN.id),
        stand.deps.customers.byId('cus_banned'),
      ])),
      stand.withdrawn,
    ]);
  return { ...stand, state };
}

const lineOf = (name: string) => `${name} ${WORKING[name]}`.trim();

describe('only admins act, on every command of the table', () => {
  test.each(COMMANDS.map(({ name }) => name))(
    '%s: a stranger gets what an unknown command gets',
    async (name) => {
      const { type, tap, state, lines } = await openStand();
      const before = await state();

      for (const argument of [WORKING[name] ?? '', ...ODD]) {
        expect(await type(`${name} ${argument}`, STRANGER)).toBeNull();
        expect(await tap(`admin:do:${name} ${argument}`, STRANGER)).toBeNull();
      }

      expect(await state()).toBe(before);
      expect(lines).toEqual([]);
    },
  );

  test.each(COMMANDS.map(({ name }) => name))('%s: an admin gets a screen', async (name) => {
    const { type, tap } = await openStand();
    expect(WORKING).toHaveProperty(name);

    const typed = await type(lineOf(name));
    expect(typed?.name).not.toMatch(/sorry|refused|bad_arguments/);
    const tapped = await tap(`admin:do:${lineOf(name)}`);
    expect(tapped?.body.length).toBeGreaterThan(0);
    for (const argument of ODD) expect((await type(`${name} ${argument}`))?.name).not.toBe('admin_sorry');
  });

  test.each(IRREVERSIBLE.map(({ name }) => name))(
    '%s asks first; the yes of a stranger or of another admin does nothing, her own does it once',
    async (name) => {
      const { type, tap, state, audited } = await openStand();
      const asked = await type(lineOf(name));
      expect(asked?.name).toBe('admin_confirm');
      const actions = actionsOf(asked);
      expect(actions).toHaveLength(2);
      const before = await state();

      for (const action of actions) {
        expect(Buffer.byteLength(action)).toBeLessThanOrEqual(60);
        expect(await tap(action, STRANGER)).toBeNull();
        expect((await tap(action, OTHER_ADMIN))?.name).toBe('admin_nothing_waits');
      }
      expect(await state()).toBe(before);

      expect((await tap(actions[0] as string))?.name).toBe('admin_done');
      const after = await state();
      expect(after).not.toBe(before);
      expect((await tap(actions[0] as string))?.name).toBe('admin_nothing_waits');
      expect(await state()).toBe(after);
      const outcomes = (await audited()).map((entry) => entry.split(' | ').slice(0, 2).join(' '));
      expect(outcomes).toEqual([`telegram:123 ${name}`, `telegram:123 ${name}`, `telegram:123 ${name}`]);
    },
  );

  test.each([
    ['a telegram id', actorOf({ userId: '123' }), true],
    ['the same id on discord', actorOf({ platform: 'discord', userId: '123' }), false],
    ['a role on discord', actorOf({ platform: 'discord', userId: '5', roleIds: ['1', '789'] }), true],
    ['the role’s id as a person', actorOf({ platform: 'discord', userId: '789' }), false],
    ['the role’s id on telegram', actorOf({ userId: '5', roleIds: ['789'] }), false],
    ['another role', actorOf({ platform: 'discord', userId: '5', roleIds: ['790'] }), false],
    ['the terminal', actorOf({ platform: 'terminal', userId: 'root' }), true],
  ] satisfies [string, Actor, boolean][])('%s', async (_, actor, isAdmin) => {
    const { type } = await openStand();
    expect((await type('help', actor)) !== null).toBe(isAdmin);
  });

  test('what is not a command of the console is left to the chat, even for an admin', async () => {
    const { type, tap, move } = await openStand();
    expect(await type('start')).toBeNull();
    expect(await type('constructor')).toBeNull();
    for (const action of ['key:new', 'admin:', 'admin:do:', 'admin:do:start', 'admin:else:x', '']) {
      expect(await tap(action)).toBeNull();
    }
    expect(await move({ kind: 'text', text: 'revoke key_x' }, ADMIN)).toBeNull();
  });

  test('without admin ids only the terminal is an admin', async () => {
    const { type } = await openConsoleFixture(() => ({ adminIds: [] }));
    expect(await type('help')).toBeNull();
    expect(await type('help', actorOf({ platform: 'terminal' }))).not.toBeNull();
  });
});

const SECRETS = {
  key: `sk_live_${ANNS_KEY.lookup}${'S3cr3t_-'.repeat(4)}x`,
  telegram: `123456789:${'AAbbCC-_9'.repeat(4)}`,
  discord: `${'M'.repeat(24)}.Gabc12.${'z'.repeat(38)}`,
  webhook: `whsec_${'a1+/'.repeat(10)}=`,
};

/** What must be seen nowhere: the part of each that is a secret. */
const PARTS = ['S3cr3t', 'AAbbCC', 'Gabc12', 'a1+/'];

const heldIn = (text: string) => PARTS.filter((part) => text.includes(part));

describe('the console keeps no secret', () => {
  test.each(consoleCommands().map(({ name }) => name))(
    '%s: a key or a token among its arguments is in no audit entry, log line, error or screen',
    async (name) => {
      const { type, tap, audited, lines } = await openConsoleFixture();
      const seen: string[] = [];
      for (const secret of Object.values(SECRETS)) {
        for (const argument of [
          secret,
          `${secret} 7`,
          `${secret} pro`,
          `1 ${secret}`,
          `${ANN.id} ${secret}`,
          `Acme for ${secret}`,
          `Acme rpm=${secret}`,
        ]) {
          const screen = await type(`${name} ${argument}`);
          // An Enterprise key is shown once: that is no secret of the arguments.
          seen.push(wordsOfScreen(screen), JSON.stringify(screen?.buttons));
          const [yes] = actionsOf(screen);
          if (screen?.name === 'admin_confirm' && yes !== undefined) seen.push(wordsOfScreen(await tap(yes)));
        }
      }

      expect(heldIn(seen.join('\n'))).toEqual([]);
      expect(heldIn((await audited()).join('\n'))).toEqual([]);
      expect(heldIn(JSON.stringify(lines))).toEqual([]);
    },
  );

  test('when the stores fail, neither the log nor the screen repeats what was typed', async () => {
    const gone = new Proxy({}, { get: () => away }) as never;
    const { ask, lines } = await openConsoleFixture(() => ({
      ...{ customers: gone, alerts: gone, database: { keys: gone, usage: gone } },
    }));
    const seen: string[] = [];
    for (const { name } of consoleCommands()) {
      for (const secret of Object.values(SECRETS)) seen.push(await ask(`${name} ${secret} 7`));
    }
    expect(heldIn(seen.join('\n') + JSON.stringify(lines))).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
  });

  test('a key is audited by its lookup part, and still names its row', async () => {
    const { type, audited } = await openConsoleFixture();
    const screen = await type(`revoke ${SECRETS.key}`);
    expect(wordsOfScreen(screen)).toContain(ANNS_KEY.id);
    expect(await audited()).toEqual([
      expect.stringContaining(`telegram:123 | revoke | sk_live_${ANNS_KEY.lookup} | asked to confirm`),
    ]);
  });

  test('how a key is named brings no secret into the audit log either', async () => {
    const { type, audited, database } = await openConsoleFixture();
    await database.keys.insert(keyOf({ id: 'key_odd', name: SECRETS.key }));
    await type('revoke key_odd');
    const entries = (await audited()).join('\n');
    expect(entries).toContain('key_odd');
    expect(heldIn(entries)).toEqual([]);
  });

  test('the new key of provision is on its screen alone, as its secret', async () => {
    const { type, audited, lines } = await openConsoleFixture();
    const screen = await type('provision Acme for @ann');
    const secret = screen?.secret?.text ?? '';
    expect(secret).toMatch(/^sk_live_[\w-]{43}$/);
    expect(wordsOfScreen(screen).split(secret)).toHaveLength(2);
    expect((await audited()).join() + JSON.stringify(lines)).not.toContain(secret.slice(0, 20));
  });

  test('addresses and plain words stay as they are', () => {
    for (const text of [
      'ann@example.com',
      'cus_aaaaaaaaaaaaaaaa 30',
      'telegram:123456789',
      'https://a.b.example/c',
    ]) {
      expect(hideSecrets(text)).toBe(text);
    }
  });
});
