import { PermissionFlagsBits as Bits } from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { permissionsOf } from '../../../bots/discord/discord-setup.ts';

const GUILD = '1';
const BOT = '2';
const ROLE = '3';
const OTHER_ROLE = '4';
const NONE = '0';

interface Given {
  readonly everyone?: bigint;
  readonly role?: bigint;
  readonly overwrites?: readonly {
    readonly id: string;
    readonly type: 0 | 1;
    readonly allow: string;
    readonly deny: string;
  }[];
  readonly owner?: string;
}

function computed({ everyone = Bits.ViewChannel, role = 0n, overwrites = [], owner = '9' }: Given) {
  const roles = [
    { id: GUILD, permissions: String(everyone) },
    { id: ROLE, permissions: String(role) },
    { id: OTHER_ROLE, permissions: String(Bits.Administrator) },
  ];
  return permissionsOf({
    botId: BOT,
    guild: { id: GUILD, owner_id: owner, roles } as unknown as Parameters<typeof permissionsOf>[0]['guild'],
    member: { roles: [ROLE] },
    channel: { permission_overwrites: overwrites },
  });
}

const may = (permissions: ReturnType<typeof computed>) => permissions.has(Bits.SendMessages);
const SEND = String(Bits.SendMessages);

test('roles of the bot and of all members add up; other roles do not count', () => {
  expect(may(computed({}))).toBe(false);
  expect(may(computed({ role: Bits.SendMessages }))).toBe(true);
  expect(may(computed({ everyone: Bits.ViewChannel | Bits.SendMessages }))).toBe(true);
});

test('the overwrite of all members yields to that of a role, and this one to that of the bot', () => {
  const everyone = Bits.ViewChannel | Bits.SendMessages;
  const denied = { id: GUILD, type: 0, allow: NONE, deny: SEND } as const;
  const ofRole = { id: ROLE, type: 0, allow: SEND, deny: NONE } as const;
  const ofBot = { id: BOT, type: 1, allow: NONE, deny: SEND } as const;
  expect(may(computed({ everyone, overwrites: [denied] }))).toBe(false);
  expect(may(computed({ everyone, overwrites: [ofRole, denied] }))).toBe(true);
  expect(may(computed({ everyone, overwrites: [ofBot, ofRole, denied] }))).toBe(false);
  expect(may(computed({ everyone, overwrites: [{ ...denied, id: OTHER_ROLE }] }))).toBe(true);
});

test('a channel that the bot cannot see allows nothing', () => {
  expect(computed({ everyone: 0n, role: Bits.SendMessages }).bitfield).toBe(0n);
});

test('an administrator and the owner may do everything, whatever the overwrites', () => {
  const bit = fc.constantFrom(Bits.ViewChannel, Bits.SendMessages, Bits.ManageMessages);
  const overwrite = fc.record({
    id: fc.constantFrom(GUILD, BOT, ROLE, OTHER_ROLE),
    type: fc.constantFrom(0 as const, 1 as const),
    allow: bit.map(String),
    deny: bit.map(String),
  });
  fc.assert(
    fc.property(fc.array(overwrite), bit, (overwrites, needed) => {
      expect(computed({ role: Bits.Administrator, overwrites }).has(needed)).toBe(true);
      expect(computed({ owner: BOT, overwrites }).has(needed)).toBe(true);
    }),
  );
});
