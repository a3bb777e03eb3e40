import { plainScreen } from '../plain-screen.ts';
import { MENU_BUTTONS } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';
import { platformWords } from './words.ts';

/** What is stored about a person, for how long, and how to erase it. */
export function privacy({ communities }: Pick<ConversationDeps, 'communities'>): Feature {
  return {
    commands: [command('privacy', 'What is kept about you, and for how long')],
    steps: {
      privacy: ({ visitor: { platform } }) =>
        plainScreen(
          'privacy',
          [
            [{ bold: 'What is kept about you' }],
            [
              { bold: 'You' },
              `: your id and public name in ${platformWords(platform)} (${platform}), the chat in which I answer you, your trial, and an account that you link. Until you delete it.`,
            ],
            [
              { bold: 'Your keys' },
              ': names, tiers and dates, and of the key itself a hash and its first characters. Filters and webhooks that you save with a key. Until you delete it.',
            ],
            [
              { bold: 'Calls' },
              ': how many you made with a key, a number a day, for 400 days. Messages that I send you on my own: 30 days. A link code, and a question that I asked: 10 minutes. Where a message with a key is: until I remove it, at most 48 hours.',
            ],
            [
              { bold: 'Not kept' },
              communities[platform] === undefined
                ? ': what you write to me.'
                : ': what you write to me. Whether you are in the community is asked each time and not stored.',
            ],
            [
              { bold: 'To erase it' },
              ': /delete. It ends your keys. What stays is an anonymous fingerprint, so that each person gets one trial, and the operator’s log of own actions, which may name your customer number.',
            ],
          ],
          [[{ label: 'Delete my data', action: 'delete' }], [MENU_BUTTONS]],
        ),
    },
  };
}
