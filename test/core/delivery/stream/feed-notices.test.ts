import { describe, expect, test } from 'vitest';
import { alertsUpTo, openStreamFixture, settle } from '../../../support/stream-fixture.ts';

const DEGRADED = { since: 5, cause: 'unreachable' } as const;
const RECOVERED = { since: 5, until: 9, backfilled: true };
const typesOf = (socket: { frames: readonly { type: string }[] }) => socket.frames.map(({ type }) => type);

describe('a feed that is degraded', () => {
  test('is announced to every open socket once, and so is its end', async () => {
    const fixture = await openStreamFixture(3);
    const { socket } = fixture.connect();
    await settle();

    fixture.hub.degrade(DEGRADED);
    await settle();
    fixture.publish(...alertsUpTo(4, 4));
    await settle();
    fixture.hub.recover(RECOVERED);
    await settle();
    fixture.publish(...alertsUpTo(5, 5));
    await settle();

    expect(typesOf(socket)).toEqual(['connected', 'degraded', 'alert', 'recovered', 'alert']);
    expect(socket.frames[1]).toEqual({ type: 'degraded', from: 5 });
    expect(socket.frames[3]).toEqual({ type: 'recovered', to: 9 });
  });

  test('is announced to a client that connects meanwhile, after connected and what it missed', async () => {
    const fixture = await openStreamFixture(3);
    fixture.hub.degrade(DEGRADED);
    const { socket: fresh } = fixture.connect();
    const { socket: returning } = fixture.connect({ since: 1 });
    await settle();

    expect(typesOf(fresh)).toEqual(['connected', 'degraded']);
    expect(typesOf(returning)).toEqual(['connected', 'alert', 'alert', 'degraded']);
  });

  test('is nothing to who comes after it is over', async () => {
    const fixture = await openStreamFixture();
    fixture.hub.degrade(DEGRADED);
    fixture.hub.recover(RECOVERED);
    const { socket } = fixture.connect();
    await settle();

    expect(typesOf(socket)).toEqual(['connected']);
  });

  test('adds nothing to the buffer of who does not read', async () => {
    const fixture = await openStreamFixture(300);
    const { socket } = fixture.connect({ since: 0 });
    socket.isSlow = true;
    socket.unsent = 10_000_000;
    await settle();

    fixture.hub.degrade(DEGRADED);
    await settle();

    expect(typesOf(socket)).toEqual(['connected']);
  });
});
