import type { Customer } from '../../../src/core/accounts/customers/customer.ts';
import { TRIAL_DAYS } from '../../../src/core/accounts/keys/key-service.ts';
import { TIER_POLICIES } from '../../../src/core/accounts/tier.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Screen } from '../screen.ts';
import { MENU_BUTTONS } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';
import { type MembershipGate, newRequest } from './membership-gate.ts';
import { delayWords } from './words.ts';

/** From "Get a key" to the two buttons that give one. Both name the same request: one screen gives one key. */
export function chooseTier(
  { customers, random, freeDelayMs }: ConversationDeps,
  membershipGate: MembershipGate,
): Feature {
  async function choose(customer: Customer): Promise<Screen> {
    const request = newRequest(random);
    const free = { label: 'Free key', action: `issue:free:${request}` };
    const pro = { label: `Pro key, ${TRIAL_DAYS} days free`, action: `issue:pro:${request}` };
    const hadTrial = !(await customers.mayHaveTrial(customer.id));
    return plainScreen(
      'choose_tier',
      [
        [{ bold: 'Which key do you want?' }],
        [{ bold: 'Free' }, `: alerts ${delayWords(freeDelayMs)}, ${perMinute('free')}.`],
        !hadTrial
          ? [
              { bold: 'Pro' },
              `: alerts in real time, ${perMinute('pro')}, and the live stream. After ${TRIAL_DAYS} days it becomes a Free key automatically: nothing to pay, nothing to cancel.`,
            ]
          : [{ bold: 'Pro' }, ': you already had its trial. There is one per person.'],
      ],
      [hadTrial ? [free] : [pro, free], [MENU_BUTTONS]],
    );
  }

  return {
    commands: [command('key', 'Get an API key')],
    steps: {
      key: async ({ visitor, customer }) => (await membershipGate(visitor)) ?? choose(customer),
      joined: async ({ visitor, customer }) =>
        (await membershipGate(visitor, { saysJoined: true })) ?? choose(customer),
    },
  };
}

function perMinute(tier: 'free' | 'pro'): string {
  return `${TIER_POLICIES[tier].requestsPerMinute} requests a minute`;
}
