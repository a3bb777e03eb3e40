import { utcMinute } from '../../../src/core/alert-words.ts';
import type { LinkResult } from '../../../src/core/customers/customer-service.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Screen } from '../screen.ts';
import type { DeskDeps, Feature, Step } from './feature.ts';
import { MENU, MY_KEYS } from './ways-on.ts';

/** Makes two platforms one customer: a code from here is given there, or the other way round. */
export function link({ customers }: Pick<DeskDeps, 'customers'>): Feature {
  const withCode: Step = async ({ customer, argument }) => {
    const result = await customers.link(customer.id, argument.trim());
    return result.ok ? linkedScreen() : refusedScreen(result.reason);
  };

  return {
    commands: [
      {
        name: 'link',
        description: 'Use the same keys in Telegram and Discord',
        argument: { name: 'code', description: 'The code that the other chat gave you' },
      },
    ],
    steps: {
      link: (turn) => (turn.argument.trim() === '' ? linkScreen() : withCode(turn)),
      link_with: withCode,
      async link_code({ customer }) {
        const { code, expiresAt } = await customers.startLink(customer.id);
        return codeScreen(code, expiresAt);
      },
    },
  };
}

function linkScreen(): Screen {
  return {
    ...plainScreen(
      'link',
      [
        [{ bold: 'Link Telegram and Discord' }],
        'Then both have the same keys and the same trial. Take a code here and give it to me there, or send me the code you got there.',
      ],
      [[{ label: 'Give me a code', action: 'link_code' }, MENU]],
    ),
    ask: { action: 'link_with', label: 'Code' },
  };
}

function codeScreen(code: string, expiresAt: number): Screen {
  return plainScreen(
    'link_code',
    [
      ['Your code: ', { code }],
      ['In the other chat, send ', { code: `/link ${code}` }],
      `It works once, until ${utcMinute(expiresAt)}. Show it to nobody: whoever has it gets your keys.`,
    ],
    [[MENU]],
  );
}

function linkedScreen(): Screen {
  return plainScreen(
    'linked',
    [[{ bold: 'Linked.' }], 'Both chats have the same keys and the same trial now.'],
    [[MY_KEYS, MENU]],
  );
}

function refusedScreen(reason: Extract<LinkResult, { ok: false }>['reason']): Screen {
  const words = {
    // Whoever is banned does not come here: it is the other one.
    banned: 'The other account cannot be linked.',
    unknown_code: 'That code is not right, was used, or is older than 10 minutes. Take a new one.',
    own_code: 'That is the code you got here. Send it in the other chat.',
  };
  return plainScreen(`link_${reason}`, [words[reason]], [[{ label: 'Link again', action: 'link' }, MENU]]);
}
