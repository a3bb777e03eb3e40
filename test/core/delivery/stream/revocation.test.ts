import { describe, expect, test } from 'vitest';
import { openStreamFixture, settle } from '../../../support/stream-fixture.ts';

const DAY = 86_400_000;

describe('design: revocation and tier changes reach every open socket within 5 s', () => {
  test.each([
    ['a revoked key', 4401, { revokedAt: 1 }],
    ['a key lowered to free', 4403, { tier: 'free' }],
    ['a key that is gone', 4401, null],
  ] as const)('%s ends its sockets with %i, and no others', async (_name, code, change) => {
    const { connect, clock, keys } = await openStreamFixture();
    const [lost, also, other] = [connect({ keyId: 'a' }), connect({ keyId: 'a' }), connect()];
    await clock.advance(2_000);
    if (change === null) keys.delete('a');
    else keys.set('a', { ...lost.key, ...change });
    await clock.advance(2_000);
    expect([lost, also].map(({ socket }) => socket.closed?.code)).toEqual([code, code]);
    expect(other.socket.closed).toBeNull();
  });

  test('a revoked key ends its sockets in time also when the clock is set back', async () => {
    const { connect, clock, keys } = await openStreamFixture();
    const { socket, key } = connect();
    await settle(1);
    await clock.advance(2_000);
    clock.set(-DAY);
    keys.set(key.id, { ...key, revokedAt: 1 });
    await clock.advance(4_000);
    expect(socket.closed?.code).toBe(4401);
  });

  test('all keys are read every 2 s, and earlier after a new socket', async () => {
    const { connect, clock, counts } = await openStreamFixture();
    for (let index = 0; index < 10; index += 1) connect({ keyId: `key ${index}` });
    await settle(1);
    await clock.advance(1_900);
    expect(counts).toMatchObject({ keyReads: 1, keysRead: 10 });
    await clock.advance(1_000);
    expect(counts).toMatchObject({ keyReads: 2, keysRead: 20 });
    connect({ keyId: 'key 3' });
    await clock.advance(600);
    expect(counts).toMatchObject({ keyReads: 3, keysRead: 30 });
  });

  test('a trial that ends is ended with 4403, also while the database is away', async () => {
    const { connect, clock, keys, faults } = await openStreamFixture();
    const { socket, key } = connect();
    keys.set(key.id, { ...key, trialEndsAt: clock.now() + 10_000 });
    await settle(1);
    await clock.advance(2_000);
    faults.keys = true;
    await clock.advance(7_900);
    expect(socket.closed).toBeNull();
    await clock.advance(600);
    expect(socket.closed?.code).toBe(4403);
  });

  test('a replaced secret keeps its socket until its end, to the next check; one that was replaced before it does not', async () => {
    const { connect, clock, keys, faults } = await openStreamFixture();
    const endsAt = clock.now() + 10_000;
    const former = connect({ keyId: 'a', lookup: 'former' });
    const [current, forgotten] = [connect({ keyId: 'a' }), connect({ keyId: 'a', lookup: 'forgotten' })];
    keys.set('a', { ...former.key, previous: { lookup: 'former', hash: '', endsAt } });
    await settle(1);
    const codes = () => [former, current, forgotten].map(({ socket }) => socket.closed?.code);

    await clock.advance(2_000);
    expect(codes()).toEqual([undefined, undefined, 4401]);
    faults.keys = true;
    await clock.advance(7_999);
    expect(codes()).toEqual([undefined, undefined, 4401]);
    await clock.advance(1);
    expect(codes()).toEqual([4401, undefined, 4401]);
  });

  test('a secret that is newer than the row that was being read keeps its socket', async () => {
    const { connect, clock, keys } = await openStreamFixture();
    const { key } = connect({ keyId: 'a' });
    await settle(1);
    await clock.advance(500);
    const { socket } = connect({ keyId: 'a', lookup: 'newer' });
    await settle();
    keys.set('a', { ...key, lookup: 'newer' });
    await clock.advance(4_000);
    expect(socket.closed).toBeNull();
  });

  test('with the database unavailable open sockets stay, which is logged', async () => {
    const { connect, clock, faults, warnings } = await openStreamFixture();
    const { socket, session } = connect();
    faults.keys = true;
    for (let round = 0; round < 10; round += 1) {
      session.message('ping');
      await clock.advance(20_000);
    }
    expect(socket.closed).toBeNull();
    expect(warnings[0]).toContain('sockets stay');
    expect(new Set(warnings).size).toBe(1);
  });

  test('a look at the keys that never ends is given up, and a revocation is seen after it', async () => {
    const { connect, clock, keys, faults } = await openStreamFixture();
    const { socket, key } = connect();
    faults.isHanging = true;
    await clock.advance(500);
    faults.isHanging = false;
    keys.set(key.id, { ...key, revokedAt: 1 });
    await clock.advance(4_000);
    expect(socket.closed?.code).toBe(4401);
  });

  test('the socket of a free key is ended immediately with 4403, without connected', async () => {
    const { connect, ended } = await openStreamFixture();
    const { socket, session } = connect({ tier: 'free' });
    session.message('ping');
    session.gone('client');
    expect(socket.frames).toEqual([]);
    expect(socket.closed?.code).toBe(4403);
    expect(ended).toEqual(['tierLacksStream']);
  });

  test('a wrong query ends the socket with 4400, whose reason names what is wrong and fits a close frame', async () => {
    const { connect, ended } = await openStreamFixture();
    const [one, many] = ['minscore', 'é'.repeat(200)].map((wrongQuery) => connect({ wrongQuery }).socket);
    expect(one).toMatchObject({ frames: [], closed: { code: 4400, reason: 'minscore' } });
    expect(many?.closed?.reason).toBe('?'.repeat(123));
    expect(ended).toEqual(['wrongQuery', 'wrongQuery']);
  });

  test('a message after the end is ignored', async () => {
    const { connect, counts } = await openStreamFixture();
    const { session, socket } = connect();
    session.gone('client');
    session.message('ping');
    expect([socket.frames.length, counts.keyReads]).toEqual([1, 0]);
  });
});
