import { counted } from '../../../src/core/alert-words.ts';
import { plainScreen } from '../plain-screen.ts';
import { command, type DeskDeps, type Feature } from './feature.ts';
import { ANOTHER_KEY, GET_KEY, HELP, HOT_MARKETS, LAST_ALERTS, MY_KEYS } from './ways-on.ts';

/** The menu. */
export function start({ customers }: Pick<DeskDeps, 'customers'>): Feature {
  return {
    commands: [command('start', 'The menu')],
    steps: {
      async start({ customer }) {
        const { length } = await customers.keysOf(customer.id);
        return plainScreen(
          'start',
          [
            [
              { bold: 'Tipoff' },
              ' watches prediction markets and tells you about trades that look informed: a fresh wallet with a big bet, or several at once.',
            ],
            length === 0
              ? 'You read the alerts with an API key. Getting one takes less than a minute and costs nothing.'
              : `You have ${counted(length, 'key')}.`,
          ],
          [length === 0 ? [GET_KEY] : [MY_KEYS, ANOTHER_KEY], [HOT_MARKETS, LAST_ALERTS], [HELP]],
        );
      },
    },
  };
}
