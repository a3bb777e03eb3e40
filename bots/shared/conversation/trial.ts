import { utcMinute } from '../../../src/core/alerts/alert-words.ts';
import type { Trial } from '../../../src/core/customers/customer.ts';
import { effectiveTier } from '../../../src/core/keys/api-key.ts';
import { TRIAL_DAYS } from '../../../src/core/keys/key-service.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Screen } from '../screen.ts';
import { GET_KEY_BUTTON, MENU_BUTTONS, MY_KEYS_BUTTON } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';
import { daysLeft } from './words.ts';

/** Remaining days of the trial. */
export function trial({ customers, clock }: Pick<ConversationDeps, 'customers' | 'clock'>): Feature {
  return {
    commands: [command('trial', 'How many days of Pro are left')],
    steps: {
      async trial({ customer }) {
        if (customer.trial === null)
          return (await customers.mayHaveTrial(customer.id)) ? untouchedScreen() : hadScreen();
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
  return plainScreen(
    'trial_untouched',
    [
      [{ bold: 'Your trial has not begun.' }],
      `Pro is free for ${TRIAL_DAYS} days, from the moment you get a Pro key.`,
    ],
    [[GET_KEY_BUTTON, MENU_BUTTONS]],
  );
}

/** For customers whose data was erased, including the end of their trial. */
function hadScreen(): Screen {
  return plainScreen(
    'trial_had',
    [[{ bold: 'You already had your trial.' }], 'There is one per person. Free keys never end.'],
    [[GET_KEY_BUTTON, MENU_BUTTONS]],
  );
}

function runningScreen({ endsAt }: Trial, now: number): Screen {
  return plainScreen(
    'trial_running',
    [
      [{ bold: `${daysLeft(endsAt, now)} of Pro left.` }],
      `It ends ${utcMinute(endsAt)}. Then your key automatically becomes a Free key: nothing to pay, nothing to cancel.`,
    ],
    [[MY_KEYS_BUTTON, MENU_BUTTONS]],
  );
}

function unusedScreen(): Screen {
  return plainScreen(
    'trial_unused',
    [
      [{ bold: 'None of your keys is in the trial any more.' }],
      'It ended with the Pro key that was revoked.',
    ],
    [[MY_KEYS_BUTTON, MENU_BUTTONS]],
  );
}

function endedScreen({ endsAt }: Trial): Screen {
  return plainScreen(
    'trial_ended',
    [
      [{ bold: 'Your trial is over.' }],
      `It ended ${utcMinute(endsAt)}. Your keys keep working, as Free keys.`,
    ],
    [[MY_KEYS_BUTTON, MENU_BUTTONS]],
  );
}
