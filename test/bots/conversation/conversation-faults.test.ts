import { describe, expect, test } from 'vitest';
import type { Community } from '../../../bots/shared/chat-bot.ts';
import type { Screen } from '../../../bots/shared/screen.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import {
  actionOf,
  type ConversationVisit,
  openConversationVisit,
} from '../../support/chat/conversation-visit.ts';
import { START } from '../../support/rows.ts';
import { getKey, PRO } from './key-tap.ts';

/** In a new world for each call of a store that a tap makes: that call fails, and "Try again" is tapped. */
async function atEachCall(
  when: 'before' | 'after',
  prepare: (visit: ConversationVisit) => Promise<string>,
  check: (visit: ConversationVisit, screen: Screen, action: string) => Promise<void>,
): Promise<number> {
  for (let nth = 1; ; nth += 1) {
    const visit = await openConversationVisit();
    const action = await prepare(visit);
    visit.fixture.faults.breakCall(nth, when);
    const first = await visit.act(action);
    const isReached = visit.fixture.faults.calls >= nth;
    visit.fixture.faults.recover();
    const screen = first.name === 'sorry' ? await visit.act(actionOf(first, 'Try again')) : first;
    await check(visit, screen, action);
    if (!isReached) return nth - 1;
  }
}

describe.each(['before', 'after'] as const)(
  'a store that fails %s it has done its work, at any call',
  (when) => {
    test('the next tap gives the key; it is the only one, it works, and its trial is whole', async () => {
      const calls = await atEachCall(
        when,
        async (visit) => actionOf(await visit.command('key'), PRO),
        async ({ fixture, act }, screen, action) => {
          expect(screen.name).toMatch(/^key_shown|already_shown$/);
          expect((await act(action)).name).toBe('already_shown');
          const keys = await fixture.keys();
          expect(keys).toHaveLength(1);
          expect(keys[0]).toMatchObject({
            tier: 'pro',
            trialEndsAt: START + 30 * DAY_MS,
            handover: { isShown: true },
          });
          if (screen.secret !== null) expect(keys[0]?.hash).toBe(`plain:${screen.secret.text}`);
        },
      );
      expect(calls).toBeGreaterThan(5);
    });

    test.each(['24h', 'now'])(
      'a new secret (%s) is the one that was shown, of the same key',
      async (mode) => {
        const label = mode === 'now' ? 'End the old key now' : 'Keep the old key 24 h';
        await atEachCall(
          when,
          async (visit) => actionOf(await visit.act(`rotate:${(await getKey(visit, PRO)).keyId}`), label),
          async ({ fixture }, screen) => {
            expect(screen.name).toMatch(/^secret_shown|already_shown$/);
            const keys = await fixture.keys();
            expect(keys).toHaveLength(1);
            if (screen.secret !== null) expect(keys[0]?.hash).toBe(`plain:${screen.secret.text}`);
            expect(keys[0]?.previous?.endsAt).toBe(mode === 'now' ? START : START + DAY_MS);
          },
        );
      },
    );

    test('the next tap follows a rule, once', async () => {
      const calls = await atEachCall(
        when,
        async (visit) => actionOf(await visit.command('follow', 'politics'), 'Follow'),
        async ({ fixture }, screen) => {
          expect(screen.name).toMatch(/^follow_saved|follow_refused$/);
          const person = { customerId: (await fixture.customer()).id, platform: 'telegram' } as const;
          const { follows } = await fixture.follows.of(person);
          expect(follows.map(({ id }) => id)).toEqual(['a1']);
        },
      );
      expect(calls).toBeGreaterThan(5);
    });

    test('revoking ends the key', async () => {
      await atEachCall(
        when,
        async (visit) => `revoke_yes:${(await getKey(visit, PRO)).keyId}`,
        async ({ fixture }, screen) => {
          expect(screen.name).toMatch(/^revoked|no_such_key$/);
          expect(await fixture.keys()).toEqual([]);
        },
      );
    });

    test('deleting deletes, and the trial is not to be had again', async () => {
      await atEachCall(
        when,
        async (visit) => {
          (await getKey(visit, PRO)).keyId;
          return actionOf(await visit.command('delete'), 'Yes, delete everything');
        },
        async (visit, screen) => {
          expect(screen.name).toMatch(/^erased|stale$/);
          expect(await visit.fixture.keys()).toEqual([]);
          await visit.act('issue:pro:an_old_tap_1');
          expect((await visit.fixture.keys()).map(({ tier }) => tier)).toEqual(['free']);
        },
      );
    });
  },
);

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

  test.each(['start', 'key', 'keys', 'upgrade', 'alerts', 'hot', 'delete', 'help'])(
    'in /%s is a screen whose button does it again',
    async (name) => {
      const visit = await openConversationVisit();
      visit.fixture.faults.breakAll();
      const sorry = await visit.command(name);
      expect(sorry.name).toBe('sorry');
      visit.fixture.faults.recover();
      const expected = (await visit.command(name)).name;
      expect((await visit.act(actionOf(sorry, 'Try again'))).name).toBe(expected);
    },
  );
});

test('a visitor who is in no community and has no address to join passes', async () => {
  const community: Community = { membershipOf: async () => 'not_member', joinAddress: async () => null };
  const visit = await openConversationVisit(community);
  expect((await visit.command('key')).name).toBe('choose_tier');
  expect((await visit.act('joined')).name).toBe('choose_tier');
});
