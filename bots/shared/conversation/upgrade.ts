import { TRIAL_DAYS } from '../../../src/core/accounts/keys/key-service.ts';
import { TIER_POLICIES, type Tier } from '../../../src/core/accounts/tier.ts';
import { listed, utcMinute } from '../../../src/core/base/text/formats.ts';
import { FOLLOW_LIMITS } from '../../../src/core/follow/active-follows.ts';
import { plainScreen, type Screen } from '../screen.ts';
import { GET_KEY_BUTTON, HELP_BUTTON, MENU_BUTTONS, MY_KEYS_BUTTON } from './buttons.ts';
import { type ConversationDeps, chatCommand, type Feature, type StepContext } from './feature.ts';
import { bestKey, delayWords, operatorSpans, tierWords } from './words.ts';

/** What Pro and Enterprise include, and how to get them: nothing can be bought in chat. */
export function upgrade({ customers, clock, freeDelayMs, contact }: ConversationDeps): Feature {
  async function show({ customer }: StepContext): Promise<Screen> {
    const [keys, isTrialOpen] = await Promise.all([
      customers.keysOf(customer.id),
      customers.trials.isOpen(customer.id),
    ]);
    const now = clock.now();
    const best = bestKey(keys, now);
    return plainScreen(
      'upgrade',
      [
        [
          { bold: best === undefined ? 'You have no key.' : `You are on ${tierWords(best, now)}.` },
          ...(best?.trialEndsAt && now < best.trialEndsAt
            ? [` It ends ${utcMinute(best.trialEndsAt)}. Then your key automatically becomes a Free key.`]
            : []),
        ],
        [{ bold: 'Free' }, `: alerts ${delayWords(freeDelayMs)}, ${tierLimits('free')}.`],
        [{ bold: 'Pro' }, `: alerts in real time, ${tierLimits('pro')}.`],
        [{ bold: 'Enterprise' }, `: alerts in real time, ${tierLimits('enterprise')}.`],
        ...(isTrialOpen ? [`Pro is free for ${TRIAL_DAYS} days, once per person: get a key.`] : []),
        [`Enterprise, and Pro after the ${TRIAL_DAYS} days, come from `, ...operatorSpans(contact), '.'],
        ...(contact === null ? ['No address is listed: ask where you found this service.'] : []),
      ],
      [isTrialOpen ? [GET_KEY_BUTTON] : [MY_KEYS_BUTTON], [HELP_BUTTON, MENU_BUTTONS]],
    );
  }

  return {
    commands: [chatCommand('upgrade', 'Your days of Pro, what the tiers include, and how to get them')],
    steps: { upgrade: show },
  };
}

/** What a tier includes. */
export function tierLimits(tier: Tier): string {
  const { requestsPerMinute, maxSockets, hasWebhooks } = TIER_POLICIES[tier];
  const requests =
    requestsPerMinute === null ? 'any number of requests' : `${requestsPerMinute} requests per minute`;
  const more = [
    ...(maxSockets === 0 ? [] : [`the live stream (${maxSockets} connections)`]),
    ...(hasWebhooks ? ['webhooks'] : []),
    `${FOLLOW_LIMITS[tier]} follows`,
  ];
  return listed([requests, ...more]);
}
