import { describe, expect, test } from 'vitest';
import { plainText } from '../../../bots/shared/screen.ts';
import { actionOf, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { getKey, PRO } from './key-tap.ts';

test('a second rotation says what becomes of the secret that was promised 24 hours', async () => {
  const visit = await openConversationVisit();
  const { secret } = await visit.act(actionOf(await visit.command('key'), PRO));
  const first = await visit.act(`rotate:${secret?.keyId}`);
  expect(plainText(first)).not.toContain('either way');

  await visit.act(actionOf(first, 'Keep the old key 24 h'));

  expect(plainText(await visit.act(`rotate:${secret?.keyId}`))).toContain(
    'stops working immediately either way',
  );
});

describe('what is not theirs', () => {
  test('actions with the key of another show and change nothing', async () => {
    const visit = await openConversationVisit();
    const stranger = visit.other('200');
    await getKey(stranger);
    const { keyId } = await getKey(visit);
    await visit.act(`rename_to:${keyId}:Hers alone`);
    const rotation = actionOf(await visit.act(`rotate:${keyId}`), 'End the old key now');
    const before = await visit.fixture.database.keys.byId(keyId);
    for (const action of [
      `manage:${keyId}`,
      `rename:${keyId}`,
      `rename_to:${keyId}:Mine`,
      `rotate:${keyId}`,
      rotation,
      `revoke:${keyId}`,
      `revoke_yes:${keyId}`,
    ]) {
      const screen = await stranger.act(action);
      expect([screen.name, plainText(screen)], action).toEqual([
        'no_such_key',
        'That key is not among yours.',
      ]);
    }
    expect(await visit.fixture.database.keys.byId(keyId)).toEqual(before);
  });

  test('a button that gave a key to one user gives none to another, and reveals nothing of it', async () => {
    const visit = await openConversationVisit();
    const stranger = visit.other('200');
    const action = actionOf(await visit.command('key'), PRO);
    await visit.act(action);
    const screen = await stranger.act(action);
    expect(screen.secret).toBeNull();
    expect(plainText(screen)).not.toContain('Key 1');
    expect(
      await visit.fixture.customers.keysOf((await visit.fixture.customers.visit(stranger.visitor)).id),
    ).toEqual([]);
  });

  test('a request that no screen made gives no key', async () => {
    const visit = await openConversationVisit();
    for (const request of ['x', '', 'with space 12', 'x'.repeat(13)]) {
      expect((await visit.act(`issue:free:${request}`)).name, request).toBe('stale');
    }
    expect(await visit.fixture.keys()).toEqual([]);
  });
});
