import { type ApiKey, effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { filterOfCode } from '../../../src/core/follow/filter-code.ts';
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

const WALLET = /^0x[0-9a-f]{40}$/i;

/** What a link refers to, by the beginning of its payload. */
const NAMED: readonly [prefix: string, action: (rest: string) => string | null][] = [
  ['alert_', (id) => actionOf('alert', alertIdOf(id))],
  ['f_', (id) => actionOf('follow_alert', alertIdOf(id))],
  ['m_', (id) => actionOf('follow_market', alertIdOf(id))],
  ['w_', (address) => (WALLET.test(address) ? `follow:${address}` : null)],
  ['r_', (code) => (filterOfCode(code) === null ? null : `fv::${code}`)],
];

function actionOf(step: string, id: number | null): string | null {
  return id === null ? null : `${step}:${id}`;
}

/**
 * The action of a link's payload, `https://t.me/BOT?start=PAYLOAD`: `key`, `upgrade`, `pro` (the same), `follow`, `alert_123`, or what it
 * would bring to follow `f_123` (an alert), `m_123` (its market), `w_0x…` (a wallet) and `r_CODE` (a filter). Null for the menu.
 */
export function linkedAction(payload: string): string | null {
  if (payload === 'key' || payload === 'upgrade') return payload;
  if (payload === 'pro') return 'upgrade';
  if (payload === 'follow') return 'follows';
  const [prefix, action] = NAMED.find(([name]) => payload.startsWith(name)) ?? [];
  return prefix === undefined || action === undefined ? null : action(payload.slice(prefix.length));
}

export function start({ customers, follows, clock, publicUrl }: ConversationDeps): Feature {
  const docs = `${publicUrl}/docs`;
  /** The next step of a person who has a key. */
  function nextStep(best: ApiKey, now: EpochMs): readonly Paragraph[] {
    if (best.firstUsedAt === null)
      return [['Next: make your first call, as described here: ', { link: docs, text: docs }]];
    return effectiveTier(best, now) === 'free' ? [['/upgrade explains how to get alerts in real time.']] : [];
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
              ' watches Polymarket for bets that look informed: a new wallet with a big bet, or several of them together.',
            ],
            ...(best === undefined
              ? ['Choose alerts and I’ll send them here. API keys are free.']
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
