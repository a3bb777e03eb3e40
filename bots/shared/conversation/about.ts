import { plainScreen } from '../plain-screen.ts';
import { BACKTEST_WORDS } from './backtest-words.ts';
import { LAST_ALERTS_BUTTON, MENU_BUTTONS } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';

/** The essence of docs/reading-alerts.md: people in chat have no repository. */
export function about({ publicUrl }: Pick<ConversationDeps, 'publicUrl'>): Feature {
  return {
    commands: [command('about', 'What an alert means, and what it does not')],
    steps: {
      about: () =>
        plainScreen(
          'about',
          [
            [{ bold: 'What an alert means' }],
            'A trade is unusual: a new wallet bets a lot or keeps buying, or several new wallets buy the same within an hour. That is no proof. It does not say that anyone knew something or did wrong.',
            [
              { bold: 'The score' },
              ' of 0 to 100 adds up the parts shown below it: age of the wallet, its markets, size, price, timing, pattern. It is not a probability: 85 does not mean 85 %.',
            ],
            [
              { bold: 'An order' },
              ' is what one wallet buys of one outcome in one second. ',
              { bold: 'The position' },
              ' is what the wallet has bought of that outcome so far, at prices above 1¢ and below 95¢. ',
              { bold: 'A cluster' },
              ' is several new wallets that buy one outcome within an hour.',
            ],
            [
              { bold: 'Results' },
              ' are those of shares held to the end, at the price of the trade and before fees. Each post shows its result, a loss too. Alerts on one market are settled together: count them as one.',
            ],
            [
              { bold: 'How often they were right' },
              `: ${BACKTEST_WORDS}. /record has the figures of this service.`,
            ],
            [
              { bold: 'The log' },
              ' lists alerts, results and corrections in their order, and only grows. A post ends with the number and the hash of its entry; the hash covers all entries before it. Keep a post, and ',
              { code: 'tipoff verify-log' },
              ' finds out later whether any of them was changed. ',
              { link: `${publicUrl}/api/v1/log/head`, text: 'Its newest entry' },
            ],
            'Nothing here is investment advice.',
          ],
          [[LAST_ALERTS_BUTTON, MENU_BUTTONS]],
        ),
    },
  };
}
