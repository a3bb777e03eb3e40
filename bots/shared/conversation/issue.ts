import { CUSTOMER_LIMITS } from '../../../src/core/accounts/customers/customer.ts';
import type { KeyRequestResult } from '../../../src/core/accounts/customers/customer-keys.ts';
import { TRIAL_DAYS } from '../../../src/core/accounts/keys/key-service.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { plainScreen } from '../plain-screen.ts';
import { HIDE, type Paragraph, type Screen } from '../screen.ts';
import { bannedScreen, MENU_BUTTONS, MY_KEYS_BUTTON, staleScreen } from './buttons.ts';
import type { Confirmations } from './confirmations.ts';
import type { ConversationDeps, Feature } from './feature.ts';
import { isRequest, type MembershipGate } from './membership-gate.ts';
import { alreadyShownScreen, deadKeyHiddenScreen, hiddenScreen, secretScreen } from './show-key.ts';

type Issued = Extract<KeyRequestResult, { ok: true }>;

/** The key, for who has chosen a tier. */
export function issue(
  { customers, clock, publicUrl }: ConversationDeps,
  { membershipGate, confirmations }: { membershipGate: MembershipGate; confirmations: Confirmations },
): Feature {
  return {
    commands: [],
    steps: {
      async issue({ visitor, customer, argument }) {
        const [tier, request] = argument.split(':');
        if ((tier !== 'free' && tier !== 'pro') || !isRequest(request)) return staleScreen();
        const closed = await membershipGate(visitor);
        if (closed !== null) return closed;
        await confirmations.settle();
        const result = await customers.keys.issue({ customerId: customer.id, tier, request });
        if (result.ok)
          return secretScreen('key_shown', {
            ...result,
            request,
            words: issuedWords(result),
            publicUrl,
            platform: visitor.platform,
          });
        if (result.reason === 'already_shown') return alreadyShownScreen(result.key, request, clock.now());
        if (result.reason === 'too_many_keys') return tooManyScreen();
        return result.reason === 'banned' ? bannedScreen() : staleScreen();
      },
      // Who hides the message has seen it: a proof like the platform's answer, which a kill may have lost.
      async [HIDE]({ customer, argument }) {
        // A button from before it named its key.
        if (argument === '') return hiddenScreen();
        const isUsable = await customers.keys.confirmSeen(customer.id, argument);
        return isUsable ? hiddenScreen() : deadKeyHiddenScreen();
      },
    },
  };
}

function issuedWords({ key, trialUsed }: Issued): readonly Paragraph[] {
  if (trialUsed) {
    return [
      [{ bold: 'Your Free key' }],
      [
        `You already had the ${TRIAL_DAYS} days of Pro. There is one trial per person, so this is a Free key.`,
      ],
    ];
  }
  if (key.trialEndsAt === null) return [[{ bold: 'Your Free key' }]];
  return [
    [{ bold: 'Your Pro key' }],
    [`It is Pro until ${utcMinute(key.trialEndsAt)}, and a Free key from then on.`],
  ];
}

function tooManyScreen(): Screen {
  return plainScreen(
    'too_many_keys',
    [
      [{ bold: `You have ${CUSTOMER_LIMITS.activeKeys} keys, which is the most.` }],
      'Revoke one that you do not need, or give one a new secret.',
    ],
    [[MY_KEYS_BUTTON, MENU_BUTTONS]],
  );
}
