import { expect, test } from 'vitest';
import type { Channel } from '../../../src/core/chat/chat-message.ts';
import type { RigFault } from '../../support/chat/driver.ts';
import { onEachBot } from '../../support/chat/each-bot.ts';

const ADDRESSES: Readonly<Record<Channel, string>> = {
  telegram: 'https://t.me/+community',
  discord: 'https://discord.gg/join-us',
};
const FAULTS: readonly RigFault[] = ['server error', 'lost', 'silence', 'flood', 'shut out', 'token refused'];

onEachBot('the community', (open, platform) => {
  async function openVisit() {
    const rig = await open({ isStarted: false });
    const person = rig.person('ann');
    const visitor = { platform, userId: person.id, name: 'ann', chat: person.id };
    const logged = () => rig.log.filter((line) => line.includes('all visitors pass'));
    return { ...rig, person, logged, membership: () => rig.community.membershipOf(visitor) };
  }

  test('has members, and people who are not', async () => {
    const { person, membership } = await openVisit();
    person.setMembership('member');
    expect(await membership()).toBe('member');
    person.setMembership('not_member');
    expect(await membership()).toBe('not_member');
  });

  test.each(FAULTS)('refuses no visitor after a fault (%s): the membership is unknown', async (fault) => {
    const { person, membership, fail, clock, log } = await openVisit();
    person.setMembership('member');
    fail('member', fault);
    const asked = membership();
    await clock.advance(5_000);
    expect(await asked).toBe('unknown');
    expect(log.join()).not.toMatch(/AAE-abc|token-for-tests/);
  });

  test('logs each unknown membership: the service’s log says an equal line once a minute', async () => {
    const { membership, fail, logged } = await openVisit();
    fail('member', 'shut out', 3);
    for (const _ of [1, 2, 3]) expect(await membership()).toBe('unknown');
    expect(logged()).toHaveLength(3);
    expect(await membership()).not.toBe('unknown');
    fail('member', 'shut out');
    await membership();
    expect(logged()).toHaveLength(4);
  });

  test('asks for its address once, and again after a failure', async () => {
    const { community, fail, calls, logged } = await openVisit();
    fail('invitation', 'no right');
    expect(await community.joinAddress()).toBeNull();
    expect(logged()).toHaveLength(1);
    for (const _ of [1, 2]) expect(await community.joinAddress()).toBe(ADDRESSES[platform]);
    expect(calls('invitation')).toBe(2);
  });
});
