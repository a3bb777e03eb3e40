import { PLATFORM_LABELS, type Visitor } from '../../../src/core/accounts/customers/customer.ts';
import { plainScreen } from '../screen.ts';
import { LAST_ALERTS_BUTTON, MENU_BUTTONS } from './buttons.ts';
import { type ConversationDeps, chatCommand, type Feature } from './feature.ts';
import { operatorSpans } from './words.ts';

/** The essence of docs/reading-alerts.md: people in chat have no repository. */
export function about({ publicUrl }: Pick<ConversationDeps, 'publicUrl'>): Feature {
  return {
    commands: [chatCommand('about', 'What an alert means, and what it does not')],
    steps: {
      about: () =>
        plainScreen(
          'about',
          [
            [{ bold: 'What an alert means' }],
            'A trade is unusual: a new wallet bets a lot or keeps buying, or several new wallets buy the same within an hour. That is not proof: it does not mean that anyone knew something or did anything wrong.',
            [
              { bold: 'The score' },
              ' of 0 to 100 adds up the parts shown below it: age of the wallet, its markets, what it wins if it is right, timing, pattern. It is not a probability: 80 does not mean 80%.',
            ],
            [
              { bold: 'An order' },
              ' is everything that one wallet buys of one outcome within a second. ',
              { bold: 'The position' },
              ' is what the wallet has bought of that outcome so far, at prices above 1¢ and below 95¢. ',
              { bold: 'A cluster' },
              ' is several new wallets that buy one outcome within an hour.',
            ],
            [
              { bold: 'Results' },
              ' assume that the shares are held until the market settles, at the price of the trade and before fees. Every post shows its result, including losses. Alerts on one market settle together: count them as one.',
            ],
            [{ bold: 'How often they were right' }, ': /record says it, beside what the prices paid needed.'],
            [
              { bold: 'The log' },
              ' lists alerts, results and corrections in their order, and only grows. A post ends with the number and the hash of its entry; the hash covers all entries before it. Keep a post, and ',
              { code: 'tipoff verify' },
              ' finds out later whether any of them was changed. ',
              { link: `${publicUrl}/api/v1/events?limit=0`, text: 'Its newest entry' },
            ],
            'Nothing here is investment advice.',
          ],
          [[LAST_ALERTS_BUTTON, MENU_BUTTONS]],
        ),
    },
  };
}

/** The person's id, in the form of the setting `ADMIN_IDS`. */
export function ownId(): Feature {
  return {
    commands: [chatCommand('id', 'Your numeric id here')],
    steps: {
      id: ({ visitor }) =>
        plainScreen(
          'own_id',
          [[{ code: `${visitor.platform}:${visitor.userId}` }], use(visitor)],
          [[MENU_BUTTONS]],
        ),
    },
  };
}

function use({ platform }: Visitor): string {
  if (platform === 'terminal')
    return 'That is your id in this terminal. The operator’s commands need no id here.';
  return 'That is your id here. Only the operator of this service needs it, for the setting ADMIN_IDS.';
}

export function privacy({ communities, contact }: ConversationDeps): Feature {
  return {
    commands: [chatCommand('privacy', 'What is stored about you, and for how long')],
    steps: {
      privacy: ({ visitor: { platform } }) =>
        plainScreen(
          'privacy',
          [
            [{ bold: 'What is stored about you' }],
            [
              { bold: 'You' },
              `: your id and public name in ${PLATFORM_LABELS[platform]}, the chat in which I answer you, and your trial. Until you delete it.`,
            ],
            [
              { bold: 'Your keys' },
              ': names, tiers and dates, and a hash and the first characters of the key itself; also filters and webhooks that you save with a key. Until you delete them.',
            ],
            [
              { bold: 'What you follow' },
              ': wallets, markets and filters with the names you gave them, what you muted, and your quiet hours and time zone. Until you remove it.',
            ],
            [
              { bold: 'Calls' },
              ': how many you made with a key, one number per day, for 400 days. Messages that I send you without being asked: 30 days. A question that I asked: 10 minutes. Where to find a message that shows a key: until I remove it, at most 48 hours.',
            ],
            [
              { bold: 'Not stored' },
              communities[platform] === undefined
                ? ': what you write to me.'
                : ': what you write to me. Whether you are in the community is asked each time and not stored.',
            ],
            [
              { bold: 'To erase it' },
              ': /delete. It ends your keys. What stays is an anonymous fingerprint, so that each person gets one trial, and the operator’s log of their own actions, which may name your customer number.',
            ],
            ...(contact === null ? [] : [['Questions: write to ', ...operatorSpans(contact), '.']]),
          ],
          [[{ label: 'Delete my data', action: 'delete' }], [MENU_BUTTONS]],
        ),
    },
  };
}
