import { counted } from '../../../src/core/base/text/formats.ts';
import { plainScreen } from '../screen.ts';
import { alertIdOf } from './alert-details.ts';
import {
  ANOTHER_KEY_BUTTON,
  GET_KEY_BUTTON,
  HELP_BUTTON,
  HOT_MARKETS_BUTTON,
  LAST_ALERTS_BUTTON,
  MY_KEYS_BUTTON,
} from './buttons.ts';
import { type ConversationDeps, chatCommand, type Feature } from './feature.ts';

/**
 * The action of a link's payload, `https://t.me/BOT?start=PAYLOAD`: `key`, `pro` (its trial) or `alert_123`. Null for the menu.
 */
export function linkedAction(payload: string): string | null {
  if (payload === 'key') return 'key';
  if (payload === 'pro') return 'trial';
  const alertId = payload.startsWith('alert_') ? alertIdOf(payload) : null;
  return alertId === null ? null : `alert:${alertId}`;
}

export function start({ customers }: ConversationDeps): Feature {
  return {
    commands: [chatCommand('start', 'The menu')],
    steps: {
      async start({ customer }) {
        const { length } = await customers.keysOf(customer.id);
        return plainScreen(
          'start',
          [
            [
              { bold: 'Tipoff' },
              ' watches prediction markets for trades that look informed: a fresh wallet with a big bet, or several of them together.',
            ],
            length === 0
              ? 'You read the alerts with an API key. Getting one takes less than a minute and costs nothing.'
              : `You have ${counted(length, 'key')}.`,
          ],
          [
            length === 0 ? [GET_KEY_BUTTON] : [MY_KEYS_BUTTON, ANOTHER_KEY_BUTTON],
            [HOT_MARKETS_BUTTON, LAST_ALERTS_BUTTON],
            [HELP_BUTTON],
          ],
        );
      },
    },
  };
}
