import type { Alert } from '../alerts/alert.ts';
import { passesFilter } from '../alerts/passes-filter.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { Follow, Follower, FollowSubject, MuteSubject } from './follower.ts';

/** The follows, in their order, that an alert is for. */
export function matchesOf(follows: readonly Follow[], alert: Alert): readonly Follow[] {
  return follows.filter(({ subject }) => matches(subject, alert));
}

function matches(subject: FollowSubject, alert: Alert): boolean {
  if (subject.kind === 'wallet') return concernedWallets(alert).includes(subject.wallet);
  return subject.kind === 'market'
    ? subject.marketId === alert.marketId
    : passesFilter(alert, subject.filter);
}

/**
 * The wallets of which an alert says something new: the one that traded, and with the first alert of a cluster all its members.
 * The later ones name the members again, for the trade of another.
 */
export function concernedWallets({ wallet, id, threadId, details: { wallets } }: Alert): readonly string[] {
  return id === threadId && wallets !== undefined ? [wallet, ...wallets] : [wallet];
}

/** Whether the person wants to hear nothing of this wallet, or of this market, at the time. */
export function isMuted(
  { mutes }: Pick<Follower, 'mutes'>,
  about: Pick<Alert, 'wallet' | 'marketId'>,
  now: EpochMs,
): boolean {
  return mutes.some(({ subject, until }) => now < until && isAbout(subject, about));
}

function isAbout(subject: MuteSubject, { wallet, marketId }: Pick<Alert, 'wallet' | 'marketId'>): boolean {
  return subject.kind === 'wallet' ? subject.wallet === wallet : subject.marketId === marketId;
}
