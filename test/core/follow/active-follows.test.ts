import { describe, expect, test } from 'vitest';
import {
  activeFollows,
  bestTier,
  pausedByTier,
  subjectKey,
} from '../../../src/core/follow/active-follows.ts';
import { keyOf } from '../../infra/database/api-key.ts';
import { followerOf, followOf, walletOf } from '../../support/followers.ts';
import { START } from '../../support/rows.ts';

const ids = (follows: readonly { readonly id: string }[]) => follows.map(({ id }) => id).join(' ');

describe('active follows', () => {
  const follower = followerOf('cus_a', {
    follows: Array.from({ length: 60 }, (_, index) =>
      followOf(`a${index + 1}`, walletOf(index), { isPaused: index === 1 || index === 30 }),
    ),
  });

  test('of those that the person has not paused the oldest 10 count on Free, 50 on Pro and Enterprise', () => {
    expect(ids(activeFollows(follower, 'free'))).toBe('a1 a3 a4 a5 a6 a7 a8 a9 a10 a11');
    for (const tier of ['pro', 'enterprise'] as const) {
      const active = activeFollows(follower, tier);
      expect([active.length, active.at(-1)?.id]).toEqual([50, 'a52']);
    }
  });

  test('what the tier pauses is what is left, without what the person paused', () => {
    expect(ids(pausedByTier(follower, 'pro'))).toBe('a53 a54 a55 a56 a57 a58 a59 a60');
    expect(pausedByTier(follower, 'free')).toHaveLength(48);
    expect(pausedByTier(followerOf('cus_a'), 'free')).toEqual([]);
  });
});

describe('the tier of a person', () => {
  const pro = keyOf({ tier: 'pro', trialEndsAt: null });
  const trial = keyOf({ tier: 'pro', trialEndsAt: START + 1 });
  const enterprise = keyOf({ tier: 'enterprise', trialEndsAt: null });

  test('is that of the best key that is valid now; Free without a key', () => {
    expect(bestTier([], START)).toBe('free');
    expect(bestTier([keyOf({ tier: 'free', trialEndsAt: null }), pro], START)).toBe('pro');
    expect(bestTier([enterprise, pro], START)).toBe('enterprise');
    expect(bestTier([{ ...enterprise, revokedAt: START }, pro], START)).toBe('pro');
  });

  test('is Free from the moment a trial ends', () => {
    expect(bestTier([trial], START)).toBe('pro');
    expect(bestTier([trial], START + 1)).toBe('free');
  });
});

test('a filter is the same in any order of its fields, and a market under any title', () => {
  const rule = (filter: object) => subjectKey({ kind: 'filter', filter });
  expect(rule({ minScore: 80, side: 'BUY' })).toBe(rule({ side: 'BUY', minScore: 80 }));
  expect(rule({ minScore: 80 })).not.toBe(rule({ minScore: 81 }));
  const market = { kind: 'market', marketId: '0xm', title: 'Old', slug: 'old' } as const;
  expect(subjectKey({ ...market, title: 'New' })).toBe(subjectKey(market));
});
