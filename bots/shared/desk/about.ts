import { plainScreen } from '../plain-screen.ts';
import { command, type Feature } from './feature.ts';
import { LAST_ALERTS, MENU } from './ways-on.ts';

/** The essence of docs/reading-alerts.md: people in chat have no repository. */
export function about(): Feature {
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
              ' of 0 to 100 adds up the parts shown below it: age of the wallet, its markets, size, price, timing. It is no chance of winning: 85 does not mean 85 %.',
            ],
            [
              { bold: 'An order' },
              ' is what one wallet buys of one outcome in one second. ',
              { bold: 'The position' },
              ' is all that it has bought of it so far. ',
              { bold: 'A cluster' },
              ' is several new wallets that buy one outcome within an hour.',
            ],
            [
              { bold: 'Results' },
              ' are at the price of the trade, held to the end and without fees. Many alerts are wrong. Each post shows its result, and the digest of the day how often alerts were right and what was needed to break even. Alerts on one market are settled together: count them as one.',
            ],
            'Nothing here is investment advice.',
          ],
          [[LAST_ALERTS, MENU]],
        ),
    },
  };
}
