import { type ApiKey, effectiveTier } from '../accounts/keys/api-key.ts';
import { TIERS, type Tier } from '../accounts/tier.ts';
import type { Alert } from '../alerts/alert.ts';
import { passesFilter } from '../alerts/passes-filter.ts';
import { canonicalJson } from '../base/text/canonical-json.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { Follow, Follower, FollowSubject } from './follower.ts';

/** Maximum number of a person's follows by tier: wallets, markets and rules together. */
export const FOLLOW_LIMITS: Readonly<Record<Tier, number>> = { free: 10, pro: 50, enterprise: 50 };

/** The highest tier that any of a person's keys has now; Free without a key. */
export function bestTier(
  keys: readonly Pick<ApiKey, 'tier' | 'trialEndsAt' | 'revokedAt'>[],
  now: EpochMs,
): Tier {
  const held = keys.filter(({ revokedAt }) => revokedAt === null).map((key) => effectiveTier(key, now));
  return TIERS.findLast((tier) => held.includes(tier)) ?? 'free';
}

/** The follows that count: the oldest ones that the person has not paused, up to the limit of the tier. */
export function activeFollows({ follows }: Pick<Follower, 'follows'>, tier: Tier): readonly Follow[] {
  return follows.filter(({ isPaused }) => !isPaused).slice(0, FOLLOW_LIMITS[tier]);
}

/** The follows that the limit of the tier pauses. They resume with a higher tier, or when an older one is removed. */
export function pausedByTier({ follows }: Pick<Follower, 'follows'>, tier: Tier): readonly Follow[] {
  return follows.filter(({ isPaused }) => !isPaused).slice(FOLLOW_LIMITS[tier]);
}

/** Without wallets hidden by an operator: a message about one would reveal it. */
export function withoutHidden(follows: readonly Follow[], hidden: ReadonlySet<string>): readonly Follow[] {
  return follows.filter(({ subject }) => subject.kind !== 'wallet' || !hidden.has(subject.wallet));
}

/** Key that is equal for subjects with the same wallet, market or filter. */
export function subjectKey(subject: FollowSubject): string {
  if (subject.kind === 'wallet') return `wallet:${subject.wallet}`;
  return subject.kind === 'market' ? `market:${subject.marketId}` : `filter:${canonicalJson(subject.filter)}`;
}

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
 * The wallets about which an alert says something new: the one that traded and, with the first alert of a cluster, all its
 * members. Later alerts name the members again because of another's trade.
 */
export function concernedWallets({ wallet, id, threadId, details: { wallets } }: Alert): readonly string[] {
  return id === threadId && wallets !== undefined ? [wallet, ...wallets] : [wallet];
}

/** Whether the person has muted this wallet, this market or everything at the time. Of a message about no single one, `about` has no fields. */
export function isMuted(
  { mutes }: Pick<Follower, 'mutes'>,
  about: Partial<Pick<Alert, 'wallet' | 'marketId'>>,
  now: EpochMs,
): boolean {
  return mutes.some(({ subject, until }) => now < until && isAbout(subject, about));
}

function isAbout(
  subject: FollowSubject,
  { wallet, marketId }: Partial<Pick<Alert, 'wallet' | 'marketId'>>,
): boolean {
  if (subject.kind === 'filter') return true;
  return subject.kind === 'wallet' ? subject.wallet === wallet : subject.marketId === marketId;
}
