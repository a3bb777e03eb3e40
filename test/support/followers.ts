import type { Follow, Follower, FollowSubject } from '../../src/core/follow/follower.ts';
import { START } from './rows.ts';

/** A follower at `START` who follows and has set nothing, and is not stored yet. */
export function followerOf(customerId: string, given: Partial<Follower> = {}): Follower {
  return {
    customerId,
    follows: [],
    mutes: [],
    zone: null,
    quiet: null,
    platform: 'telegram',
    nextFollow: 1,
    createdAt: START,
    changedAt: START,
    version: 0,
    ...given,
  };
}

export function followOf(id: string, subject: FollowSubject, given: Partial<Follow> = {}): Follow {
  return { id, nickname: null, subject, mode: 'normal', isPaused: false, createdAt: START, ...given };
}

/** A wallet to follow, by a number. */
export function walletOf(number: number): FollowSubject & { kind: 'wallet' } {
  return { kind: 'wallet', wallet: `0x${number.toString(16).padStart(40, '0')}` };
}
