import { describe, expect, test } from 'vitest';
import type { Community } from '../../../bots/shared/chat-bot.ts';
import {
  actionOf,
  type ConversationVisit,
  openConversationVisit,
} from '../../support/chat/conversation-visit.ts';
import { getKey, PRO } from './key-tap.ts';

/** A secret that has arrived, by the tap that gave it, although its arrival could not be stored. */
async function openUnstored(isRotation = false) {
  const visit = await openConversationVisit();
  const { fixture, conversation, visitor } = visit;
  const choice = isRotation
    ? await visit.act(`rotate:${(await getKey(visit, PRO)).keyId}`)
    : await visit.command('key');
  const action = actionOf(choice, isRotation ? 'Keep the old key 24 h' : PRO);
  const screen = await conversation.move(visitor, { kind: 'tap', action });
  fixture.faults.breakAll();
  await conversation.shown(screen);
  expect(fixture.errors).toHaveLength(1);
  fixture.faults.recover();
  return { ...visit, action, screen };
}

describe('a secret that has arrived although its arrival could not be stored', () => {
  test.each([false, true])(
    'is not replaced, and recorded as arrived once (rotated: %s)',
    async (isRotation) => {
      const { fixture, action, screen, ...visit } = await openUnstored(isRotation);
      expect((await visit.act(action)).name).toBe('already_shown');
      expect((await fixture.keys()).map(({ hash }) => hash)).toEqual([`plain:${screen.secret?.text}`]);
      const { calls } = fixture.faults;
      fixture.faults.recover();
      await visit.act(action);
      expect(fixture.faults.calls).toBe(calls - 1);
    },
  );

  test('is not replaced while that cannot be stored', async () => {
    const { fixture, screen, ...visit } = await openUnstored();
    const next = actionOf(await visit.command('key'), 'Free key');
    const calls = await callsBefore(visit, fixture.faults);
    fixture.faults.breakCall(calls + 1, 'before');
    expect((await visit.act(next)).name).toBe('sorry');
    expect((await fixture.keys()).map(({ id }) => id)).toEqual([screen.secret?.keyId]);
  });
});

async function callsBefore(
  visit: Pick<ConversationVisit, 'act'>,
  faults: ConversationVisit['fixture']['faults'],
): Promise<number> {
  faults.recover();
  await visit.act('nothing');
  return faults.calls;
}

describe('a fault', () => {
  test('is logged with its error and no word of what was typed, and ends nothing', async () => {
    const visit = await openConversationVisit();
    visit.fixture.faults.breakAll();
    expect(await visit.command('follow', 'SECRETCODE')).toMatchObject({ name: 'sorry' });
    expect(visit.fixture.errors).toHaveLength(1);
    expect(visit.fixture.errors[0]?.fields).toMatchObject({
      err: expect.any(Error),
      platform: 'telegram',
      step: 'follow',
    });
    expect(JSON.stringify(visit.fixture.errors)).not.toContain('SECRETCODE');
    visit.fixture.faults.recover();
    expect((await visit.command('start')).name).toBe('start');
  });

  test('while a pasted key is looked for puts it neither in a button nor in the log, and its message goes', async () => {
    const visit = await openConversationVisit();
    const key = `sk_live_${'k'.repeat(43)}`;
    visit.fixture.faults.breakAll();
    const sorry = await visit.type(key);
    expect(sorry).toMatchObject({ name: 'sorry', removesMessage: true });
    expect(JSON.stringify([sorry, visit.fixture.errors])).not.toContain('kkk');
    visit.fixture.faults.recover();
    expect((await visit.act(actionOf(sorry, 'Try again'))).name).toBe('stale');
    expect(await visit.type(key)).toMatchObject({ name: 'pasted_key', removesMessage: true });
  });
});

test('a visitor who is in no community and has no address to join passes', async () => {
  const community: Community = { membershipOf: async () => 'not_member', joinAddress: async () => null };
  const visit = await openConversationVisit(community);
  expect((await visit.command('key')).name).toBe('choose_tier');
  expect((await visit.act('joined')).name).toBe('choose_tier');
});
