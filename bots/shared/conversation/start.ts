import { type ApiKey, effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { type Paragraph, plainScreen } from '../screen.ts';
import { alertIdOf } from './alert-details.ts';
import {
  ANOTHER_KEY_BUTTON,
  FOLLOW_BUTTON,
  FOLLOWS_BUTTON,
  GET_KEY_BUTTON,
  HELP_BUTTON,
  HOT_MARKETS_BUTTON,
  LAST_ALERTS_BUTTON,
  MY_KEYS_BUTTON,
} from './buttons.ts';
import { type ConversationDeps, chatCommand, type Feature } from './feature.ts';
import { bestKey, tierWords } from './words.ts';

/**
 * The action of a link's payload, `https://t.me/BOT?start=PAYLOAD`: `key`, `upgrade`, `pro` (the same), `follow`, `alert_123` or `f_123` (to follow
 * it). Null for the menu.
 */
export function linkedAction(payload: string): string | null {
  if (payload === 'key' || payload === 'upgrade') return payload;
  if (payload === 'pro') return 'upgrade';
  if (payload === 'follow') return 'follows';
  const followed = payload.startsWith('f_') ? alertIdOf(payload.slice(2)) : null;
  if (followed !== null) return `follow_alert:${followed}`;
  const alertId = payload.startsWith('alert_') ? alertIdOf(payload) : null;
  return alertId === null ? null : `alert:${alertId}`;
}

export function start({ customers, follows, clock, publicUrl }: ConversationDeps): Feature {
  const docs = `${publicUrl}/docs`;
  /** What a person with a key does next. */
  function nextStep(best: ApiKey, now: EpochMs): readonly Paragraph[] {
    if (best.firstUsedAt === null)
      return [['Next: make your first call, as described here: ', { link: docs, text: docs }]];
    return effectiveTier(best, now) === 'free' ? [['/upgrade says how to get alerts in real time.']] : [];
  }

  return {
    commands: [chatCommand('start', 'The menu')],
    steps: {
      async start({ visitor, customer }) {
        const { follows: followed } = await follows.of({
          customerId: customer.id,
          platform: visitor.platform,
        });
        const keys = await customers.keysOf(customer.id);
        const now = clock.now();
        const best = bestKey(keys, now);
        return plainScreen(
          'start',
          [
            [
              { bold: 'Tipoff' },
              ' watches prediction markets for trades that look informed: a fresh wallet with a big bet, or several of them together.',
            ],
            ...(best === undefined
              ? [
                  'I send you the alerts that you choose, here in the chat. For programs there is an API key: it takes less than a minute and costs nothing.',
                ]
              : [keysLine(keys.length, tierWords(best, now)), ...nextStep(best, now)]),
          ],
          [
            [followed.length === 0 ? FOLLOW_BUTTON : FOLLOWS_BUTTON],
            best === undefined ? [GET_KEY_BUTTON] : [MY_KEYS_BUTTON, ANOTHER_KEY_BUTTON],
            [HOT_MARKETS_BUTTON, LAST_ALERTS_BUTTON],
            [HELP_BUTTON],
          ],
        );
      },
    },
  };
}

function keysLine(count: number, best: string): string {
  return count === 1 ? `You have 1 key: ${best}.` : `You have ${count} keys, the best of them ${best}.`;
}
