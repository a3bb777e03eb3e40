import { CUSTOMER_KEYS_MAX, type Customer } from '../../../src/core/accounts/customers/customer.ts';
import { keysIn, lookupOf } from '../../../src/core/accounts/keys/key-text.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { type Paragraph, plainScreen } from '../screen.ts';
import { HELP_BUTTON, MENU_BUTTONS, MY_KEYS_BUTTON, staleScreen } from './buttons.ts';
import type { ConversationDeps, Feature } from './feature.ts';
import { tierWords } from './words.ts';

/** The step for a text with a whole key. Its argument is the text: it is never part of a button or the log. */
export const PASTED_KEY_STEP = 'pasted_key';

/** Says which of the person's keys it is, and has their message removed. Says nothing about other people's keys. */
export function pastedKey({ customers, clock }: ConversationDeps): Feature {
  async function wordsOf(secret: string, { id }: Customer): Promise<Paragraph> {
    const owned = await customers.ownerOfSecret(secret);
    if (owned === null || owned.customer?.id !== id)
      return ['This is not one of the keys you have here. If it was, it has been replaced.'];
    const { key } = owned;
    if (key.lookup !== lookupOf(secret) && key.previous !== null)
      return [
        'This key was replaced: it works until ',
        `${utcMinute(key.previous.endsAt)} as `,
        { bold: key.name },
        '.',
      ];
    const name: Paragraph = ['This is your key ', { bold: key.name }];
    if (key.revokedAt !== null) return [...name, `. It was revoked ${utcMinute(key.revokedAt)}.`];
    return [...name, `, and it works: ${tierWords(key, clock.now())}.`];
  }

  return {
    steps: {
      async [PASTED_KEY_STEP]({ customer, argument }) {
        const found = keysIn(argument).slice(0, CUSTOMER_KEYS_MAX);
        // The retry after a fault, which has no key.
        if (found.length === 0) return staleScreen();
        const body = await Promise.all(found.map((secret) => wordsOf(secret, customer)));
        return plainScreen(
          'pasted_key',
          [...body, 'You never need to send me a key: your programs send it to the API.'],
          [[MY_KEYS_BUTTON, MENU_BUTTONS], [HELP_BUTTON]],
        );
      },
    },
  };
}
