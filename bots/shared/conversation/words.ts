import { type ApiKey, effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import { TIERS, type Tier } from '../../../src/core/accounts/tier.ts';
import { counted, durationWords, utcMinute } from '../../../src/core/base/text/formats.ts';
import { DAY_MS, type EpochMs } from '../../../src/core/base/time/duration.ts';
import type { Paragraph } from '../screen.ts';

export const TIER_WORDS: Readonly<Record<Tier, string>> = {
  free: 'Free',
  pro: 'Pro',
  enterprise: 'Enterprise',
};

/** `Pro, 27 days left`, `Free`, `Enterprise`: what a key is at a moment. */
export function tierWords(key: Pick<ApiKey, 'tier' | 'trialEndsAt'>, now: EpochMs): string {
  const tier = effectiveTier(key, now);
  const left = tier === 'pro' && key.trialEndsAt !== null ? `, ${daysLeft(key.trialEndsAt, now)} left` : '';
  return TIER_WORDS[tier] + left;
}

/** The key with the highest tier; of several, the one that keeps it longest. */
export function bestKey(keys: readonly ApiKey[], now: EpochMs): ApiKey | undefined {
  const rank = (key: ApiKey) => TIERS.indexOf(effectiveTier(key, now));
  const end = ({ trialEndsAt }: ApiKey) => trialEndsAt ?? Number.POSITIVE_INFINITY;
  return keys.toSorted((one, other) => rank(other) - rank(one) || end(other) - end(one))[0];
}

/** `Pro runs until 2026-02-01 09:00 UTC on Key 1.`, of the best key; null without a key of Pro or Enterprise. */
export function paidKeyWords(keys: readonly ApiKey[], now: EpochMs): string | null {
  const best = bestKey(keys, now);
  const tier = best === undefined ? 'free' : effectiveTier(best, now);
  if (best === undefined || tier === 'free') return null;
  const end =
    tier === 'pro' && best.trialEndsAt !== null ? `until ${utcMinute(best.trialEndsAt)}` : 'without an end';
  return `${TIER_WORDS[tier]} runs ${end} on ${best.name}.`;
}

/** The operator, with the address from the setting `CONTACT` if there is one. */
export function operatorSpans(contact: string | null): Paragraph {
  const operator = 'the operator of this service';
  if (contact === null) return [operator];
  const text = contact.replace(/^mailto:/, '');
  // Platforms recognise e-mail addresses, and refuse links to them.
  return [`${operator} (`, text === contact ? { link: contact, text } : text, ')'];
}

export function daysLeft(until: EpochMs, now: EpochMs): string {
  return counted(Math.ceil((until - now) / DAY_MS), 'day');
}

/** `in real time` or `5 minutes late`. */
export function delayWords(delayMs: number): string {
  return delayMs === 0 ? 'in real time' : `${durationWords(delayMs)} late`;
}

export function utcSecond(at: EpochMs): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`;
}
