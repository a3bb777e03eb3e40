import type { Customer, Trial } from '../../../src/core/accounts/customers/customer.ts';
import { effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import { TRIAL_DAYS } from '../../../src/core/accounts/keys/key-service.ts';
import { TIER_POLICIES } from '../../../src/core/accounts/tier.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Button, Screen } from '../screen.ts';
import { GET_KEY_BUTTON, MENU_BUTTONS, MY_KEYS_BUTTON } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';
import { type MembershipGate, newRequest } from './membership-gate.ts';
import { daysLeft, delayWords } from './words.ts';

/** From "Get a key" to the two buttons that give one. Both name the same request: one screen gives one key. */
export function chooseTier(
  { customers, random, freeDelayMs }: ConversationDeps,
  membershipGate: MembershipGate,
): Feature {
  async function choose(customer: Customer): Promise<Screen> {
    const request = newRequest(random);
    const free = { label: 'Free key', action: `issue:free:${request}` };
    const pro = { label: `Pro key, ${TRIAL_DAYS} days free`, action: `issue:pro:${request}` };
    const hadTrial = !(await customers.trials.isOpen(customer.id));
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

/** Remaining days of the trial. */
export function trial({ customers, clock }: ConversationDeps): Feature {
  return {
    commands: [command('trial', 'How many days of Pro are left')],
    steps: {
      async trial({ customer }) {
        if (customer.trial === null)
          return (await customers.trials.isOpen(customer.id)) ? untouchedScreen() : hadScreen();
        const now = clock.now();
        if (now >= customer.trial.endsAt) return endedScreen(customer.trial);
        const keys = await customers.keysOf(customer.id);
        const isInUse = keys.some((key) => effectiveTier(key, now) === 'pro');
        return isInUse ? runningScreen(customer.trial, now) : unusedScreen();
      },
    },
  };
}

function untouchedScreen(): Screen {
  const words = `Pro is free for ${TRIAL_DAYS} days, from the moment you get a Pro key.`;
  return trialScreen('trial_untouched', ['Your trial has not begun.', words], GET_KEY_BUTTON);
}

/** For customers whose data was erased, including the end of their trial. */
function hadScreen(): Screen {
  const words = 'There is one per person. Free keys never end.';
  return trialScreen('trial_had', ['You already had your trial.', words], GET_KEY_BUTTON);
}

function runningScreen({ endsAt }: Trial, now: number): Screen {
  const words = `It ends ${utcMinute(endsAt)}. Then your key automatically becomes a Free key: nothing to pay, nothing to cancel.`;
  return trialScreen('trial_running', [`${daysLeft(endsAt, now)} of Pro left.`, words], MY_KEYS_BUTTON);
}

function unusedScreen(): Screen {
  const words = 'It ended with the Pro key that was revoked.';
  return trialScreen('trial_unused', ['None of your keys is in the trial any more.', words], MY_KEYS_BUTTON);
}

function endedScreen({ endsAt }: Trial): Screen {
  const words = `It ended ${utcMinute(endsAt)}. Your keys keep working, as Free keys.`;
  return trialScreen('trial_ended', ['Your trial is over.', words], MY_KEYS_BUTTON);
}

function trialScreen(name: string, [title, words]: readonly [string, string], button: Button): Screen {
  return plainScreen(name, [[{ bold: title }], words], [[button, MENU_BUTTONS]]);
}
