import type { Refused } from '../accounts/keys/api-key.ts';
import { keyName } from '../accounts/keys/key-service.ts';
import type { Tier } from '../accounts/tier.ts';
import type { LastingFilter } from '../alerts/passes-filter.ts';
import type { Follow, FollowMode, FollowSubject } from './follower.ts';

/** Limits of a person's settings; lengths are in characters (UTF-16 units). */
export const FOLLOWER_LIMITS = { nicknameLength: 40, mutes: 100 } as const;

/** New values of a follow; an empty nickname removes it. `filter`: of a rule. */
export interface FollowChange {
  readonly nickname?: string | null;
  readonly mode?: FollowMode;
  readonly isPaused?: boolean;
  readonly filter?: LastingFilter;
}

/**
 * Why nothing was changed, with the figures for the text. `bad_nickname`: too long, not in one line, or a key. `erased`:
 * the person is gone.
 */
export type FollowRefusal =
  | (Refused<'too_many_follows'> & { readonly limit: number; readonly tier: Tier })
  | (Refused<'already_followed'> & { readonly follow: Follow })
  | (Refused<'bad_nickname' | 'too_many_mutes'> & { readonly limit: number })
  | Refused<'unknown_follow' | 'erased'>;

const BAD_NICKNAME = {
  ok: false,
  reason: 'bad_nickname',
  limit: FOLLOWER_LIMITS.nicknameLength,
} as const satisfies FollowRefusal;

/** A follow with the changes applied. */
export function changedFollow(
  follow: Follow,
  { nickname: text, filter, ...change }: FollowChange,
): Follow | FollowRefusal {
  const nickname = text === undefined ? follow.nickname : nicknameOf(text);
  if (nickname !== null && typeof nickname === 'object') return nickname;
  const subject = filter === undefined ? follow.subject : ({ kind: 'filter', filter } as const);
  return { ...follow, ...change, nickname, subject };
}

/** The nickname that a text gives; null for none. */
function nicknameOf(text: string | null): string | null | FollowRefusal {
  if (text === null || text.trim() === '') return null;
  // As for names of keys: one line, with at least one visible character, and no secret.
  const name = keyName(text);
  return name === null || name.length > FOLLOWER_LIMITS.nicknameLength ? BAD_NICKNAME : name;
}

/** A subject as alerts name it. */
export function inLowerCase<Subject extends FollowSubject>(subject: Subject): Subject {
  return subject.kind === 'wallet' ? { ...subject, wallet: subject.wallet.toLowerCase() } : subject;
}
