import { expect, test } from 'vitest';
import type { Follower } from '../../../src/core/follow/follower.ts';
import { followerOf, followOf, walletOf } from '../../support/followers.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const MARKET = { kind: 'market', marketId: '0xm', title: 'Will it "rain"? 😀', slug: 'rain' } as const;
const FULL = followerOf('cus_a', {
  follows: [
    followOf('a1', walletOf(7), { nickname: 'é 😀', mode: 'silent', isPaused: true }),
    followOf('a2', MARKET),
    followOf('a3', { kind: 'filter', filter: { category: 'politics', minScore: 80, search: '$where a.b' } }),
  ],
  mutes: [{ subject: MARKET, until: START + 1 }],
  zone: 'Europe/Paris',
  quiet: { from: 23, to: 0 },
  place: 'connect',
  destination: { kind: 'ntfy', url: 'https://ntfy.example/secret', createdAt: START },
  nextFollow: 4,
});

onEachDatabase('follower store', (fixture) => {
  const ids = (found: readonly Follower[]) => found.map(({ customerId }) => customerId);

  test('a follower comes back as it was stored, under the next version', async () => {
    const { followers } = fixture.database;

    expect(await followers.put(FULL)).toBe(true);
    expect(await followers.get('cus_a')).toStrictEqual({ ...FULL, version: 1 });

    const plain = { ...followerOf('cus_a'), version: 1 };
    expect(await followers.put(plain)).toBe(true);
    expect(await followers.get('cus_a')).toStrictEqual({ ...plain, version: 2 });
    expect(await followers.get('cus_b')).toBeNull();
    expect(await followers.byIds(['cus_a', 'cus_b'])).toStrictEqual([{ ...plain, version: 2 }]);
    expect(await followers.byIds([])).toEqual([]);
  });

  test('of concurrent writes of one version, also of the first, exactly one is stored', async () => {
    const { followers } = fixture.database;
    const write = (version: number, place: Follower['place']) =>
      followers.put(followerOf('cus_a', { version, place }));

    for (const version of [0, 1, 2]) {
      const stored = await Promise.all([write(version, 'telegram'), write(version, 'discord')]);
      expect(stored.toSorted()).toEqual([false, true]);
      const place = stored[0] ? 'telegram' : 'discord';
      expect(await followers.get('cus_a')).toMatchObject({ version: version + 1, place });
    }
    expect(await write(1, 'terminal')).toBe(false);
  });

  test('a follower is removed as it was read, and once', async () => {
    const { followers } = fixture.database;
    for (const id of ['cus_a', 'cus_b', 'cus_c']) await followers.put(followerOf(id));

    expect(await followers.remove('cus_a', 0)).toBe(false);
    expect(await followers.remove('cus_a', 1)).toBe(true);
    expect(await followers.remove('cus_a', 1)).toBe(false);
    expect(await followers.remove('cus_b')).toBe(true);
    expect(await followers.put(followerOf('cus_b', { version: 1 }))).toBe(false);
    expect(ids(await followers.changedSince({ since: 0, limit: 10 }))).toEqual(['cus_c']);
  });

  test('changes since a moment come oldest first, in pages that do not skip those of one moment', async () => {
    const { followers } = fixture.database;
    const changes = { cus_c: 5, cus_a: 7, cus_b: 7, cus_d: 7, cus_e: 9, cus_old: 4 };
    for (const [id, at] of Object.entries(changes))
      await followers.put(followerOf(id, { changedAt: START + at }));
    await followers.put(followerOf('cus_c', { changedAt: START + 8, version: 1 }));

    const since = START + 5;
    const pages: string[][] = [];
    for (let after: Follower | undefined; ; ) {
      const page = await followers.changedSince({ since, limit: 2, after });
      if (page.length === 0) break;
      pages.push(ids(page));
      after = page.at(-1);
    }
    expect(pages).toEqual([['cus_a', 'cus_b'], ['cus_d', 'cus_c'], ['cus_e']]);
  });

  test('the operator sees the numbers of people, of follows by kind and of people by place', async () => {
    const { followers } = fixture.database;
    const none = { wallet: 0, market: 0, filter: 0 };
    const nowhere = { telegram: 0, discord: 0, terminal: 0, connect: 0 };
    expect(await followers.counts()).toEqual({ people: 0, follows: none, places: nowhere });

    await followers.put(FULL);
    await followers.put(followerOf('cus_b', { follows: [followOf('a1', walletOf(1))] }));
    await followers.put(followerOf('cus_c', { follows: [followOf('a1', walletOf(1))] }));
    await followers.put(followerOf('cus_c', { version: 1 }));

    expect(await followers.counts()).toEqual({
      people: 3,
      follows: { wallet: 2, market: 1, filter: 1 },
      places: { ...nowhere, telegram: 2, connect: 1 },
    });
  });
});
