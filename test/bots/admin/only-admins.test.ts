import { describe, expect, test } from 'vitest';
import { consoleCommands } from '../../../bots/admin/commands/table.ts';
import type { Actor } from '../../../bots/shared/conversation.ts';
import { end } from '../../infra/database/chat-store-fixture.ts';
import { postOf } from '../../support/chat/messages.ts';
import {
  ADMIN,
  ANN,
  ANNS_KEY,
  actionsOf,
  actorOf,
  OTHER_ADMIN,
  openConsoleFixture,
  STRANGER,
} from './console-fixture.ts';

const WALLET = '0x00000000000000000000000000000000000000aa';
const HIDDEN_WALLET = '0x00000000000000000000000000000000000000bb';

/** A command line that works for each command of the table; a command without one fails the walk. */
const WORKING: Readonly<Record<string, string>> = {
  stats: '',
  health: '',
  find: '@ann',
  provision: 'Acme',
  tier: `${ANNS_KEY.id} free`,
  extend: `${ANN.id} 7`,
  revoke: ANNS_KEY.id,
  ban: ANN.id,
  unban: 'cus_banned',
  why: '1',
  pause: 'feed',
  resume: 'channel:discord',
  run: 'daily-digest',
  withdraw: '1',
  outbox: '',
  resend: '2',
  dismiss: 'alert:2@telegram',
  annotate: `${WALLET} market maker`,
  hide: `${WALLET} asked for by its owner`,
  unhide: `${HIDDEN_WALLET} not needed any more`,
  statements: WALLET,
  broadcast: 'Hello all of you',
  audit: '',
  help: '',
};

const ODD = [
  ...['', ' ', '0', '-1', '1e9', 'cus_ann', ANNS_KEY.id, '"', '\u0000', '💥'.repeat(50)],
  ...["'; DROP TABLE audit; --", '$where', '{"$gt":""}', '../../etc/passwd', 'x'.repeat(5_000), '--yes'],
];

const COMMANDS = consoleCommands();
const IRREVERSIBLE = COMMANDS.filter(({ isIrreversible }) => isIrreversible);

async function openStand() {
  const stand = await openConsoleFixture();
  await stand.add({ ...ANN, id: 'cus_banned', handles: [], bannedAt: 1 });
  const hide = { at: 1, kind: 'hide', wallet: HIDDEN_WALLET, alertId: null, reason: 'asked for' } as const;
  await stand.database.statements.append(hide);
  await stand.database.pauses.pause({ name: 'channel:discord', at: 1, by: 'telegram:123' });
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
        stand.database.statements.after(0, 100),
        stand.database.audit.list({ limit: 100 }),
        stand.database.chat.counts(),
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

  test('what is no command of the console is left to the chat, for an admin too', async () => {
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
