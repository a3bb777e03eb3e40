import {
  BOT_PLATFORMS,
  CUSTOMER_LIMITS,
  PLATFORM_LABELS,
} from '../../../src/core/accounts/customers/customer.ts';
import type { LinkResult } from '../../../src/core/accounts/customers/linking.ts';
import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { type Button, plainScreen, type Screen } from '../screen.ts';
import { MENU_BUTTONS, MY_KEYS_BUTTON } from './buttons.ts';
import type { ConversationDeps, Feature, Step, StepContext } from './feature.ts';
import { personOf } from './follow/follow-reads.ts';
import { choiceOfPlace } from './follow/follow-settings.ts';

const CODE = /^[\w-]{1,20}$/;
const NO_CODE = 'unknown_code';
const BOTH = BOT_PLATFORMS.map((platform) => PLATFORM_LABELS[platform]).join(' and ');

/** Makes two platforms one customer: a code from here is given there, or the other way round. */
export function linkAccounts({ customers, follows }: ConversationDeps): Feature {
  const withCode: Step = ({ argument }) => {
    const code = argument.trim();
    return CODE.test(code) ? confirmScreen(code) : refusedScreen(NO_CODE);
  };

  /** Someone who follows something is asked once where to send it, as the two accounts had a place each. */
  async function linked(context: StepContext): Promise<Screen> {
    const follower = await follows.of(personOf(context));
    return linkedScreen(follower.follows.length === 0 ? [] : choiceOfPlace(context, follower));
  }

  return {
    commands: [
      {
        name: 'link',
        description: `Use the same keys and follows in ${BOTH}`,
        argument: { name: 'code', description: 'The code that the other chat gave you' },
      },
    ],
    steps: {
      link: (context) => (context.argument.trim() === '' ? linkScreen() : withCode(context)),
      link_with: withCode,
      async link_yes({ visitor, customer, argument }) {
        const result = await customers.linking.link(customer.id, argument);
        if (result.ok) return linked({ visitor, customer: result.customer, argument });
        return result.reason === 'too_many_guesses' ? waitScreen(result.until) : refusedScreen(result.reason);
      },
      async link_code({ customer }) {
        const { code, expiresAt } = await customers.linking.start(customer.id);
        return codeScreen(code, expiresAt);
      },
    },
  };
}

function linkScreen(): Screen {
  return plainScreen(
    'link',
    [
      [{ bold: `Link ${BOTH}` }],
      'Both then share the same keys, trial and follows. Get a code here and send it to me there, or send me the code you got there.',
    ],
    [[{ label: 'Give me a code', action: 'link_code' }, MENU_BUTTONS]],
    { action: 'link_with', label: 'Code' },
  );
}

function codeScreen(code: string, expiresAt: number): Screen {
  return plainScreen(
    'link_code',
    [
      ['Your code: ', { code }],
      ['In the other chat, send ', { code: `/link ${code}` }],
      `It works once, until ${utcMinute(expiresAt)}. Keep it to yourself: anyone who has it gets your keys.`,
    ],
    [[MENU_BUTTONS]],
  );
}

/** A person tricked into sending a code of another account would share their keys with it. */
function confirmScreen(code: string): Screen {
  return plainScreen(
    'confirm_link',
    [
      [{ bold: 'Link with the account this code is from?' }],
      'Each of the two chats then sees and uses the keys of both. Continue only if you got the code yourself, in your own chat.',
    ],
    [[{ label: 'Yes, it is mine', action: `link_yes:${code}` }], [{ label: 'No', action: 'start' }]],
  );
}

function linkedScreen(places: readonly Button[]): Screen {
  const words =
    places.length === 0
      ? []
      : [
          'What you follow in both is one list now. Where should your alerts go? You can change it later in /follows.',
        ];
  return plainScreen(
    'linked',
    [[{ bold: 'Linked.' }], 'Both chats now have the same keys and the same trial.', ...words],
    [places, [MY_KEYS_BUTTON, MENU_BUTTONS]],
  );
}

/** Even a correct code is refused until then. */
function waitScreen(until: number): Screen {
  return plainScreen(
    'link_too_many_guesses',
    [
      `That was the fifth wrong code in 10 minutes. Codes that you send here are refused until ${utcMinute(until)}.`,
      'Wait until then, or get a code here and send it in the other chat.',
    ],
    [[{ label: 'Give me a code', action: 'link_code' }, MENU_BUTTONS]],
  );
}

type Reason = Exclude<Extract<LinkResult, { ok: false }>['reason'], 'too_many_guesses'>;

function refusedScreen(reason: Reason): Screen {
  const words = {
    // The other account: a banned customer cannot get here.
    banned: 'The other account cannot be linked.',
    unknown_code: 'That code is wrong, was used, or is older than 10 minutes. Get a new one.',
    too_many_keys: `Together the two accounts have more than ${CUSTOMER_LIMITS.activeKeys} keys, which is the maximum. Revoke some, and send the code again.`,
    own_code: 'That is the code you got here. Send it in the other chat.',
  };
  return plainScreen(
    `link_${reason}`,
    [words[reason]],
    [[{ label: 'Link again', action: 'link' }, MENU_BUTTONS]],
  );
}
