import type { HotMarket } from '../../../src/core/alerts/alert-store.ts';
import { counted, dollars, marketAddress, oneLine } from '../../../src/core/base/text/formats.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Paragraph, Screen } from '../screen.ts';
import { LAST_ALERTS_BUTTON, MENU_BUTTONS } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';
import { alertDelay } from './last-alerts.ts';
import { delayWords } from './words.ts';

const SHOWN = 5;
/** The shortest that has an alert is shown. */
const WINDOWS = [
  { windowMs: DAY_MS, words: 'last 24 hours' },
  { windowMs: 7 * DAY_MS, words: 'last 7 days' },
  { windowMs: 30 * DAY_MS, words: 'last 30 days' },
] as const;

/** Where most alerts are, as late as for the best of the customer's keys. */
export function hotMarkets(deps: ConversationDeps): Feature {
  return {
    commands: [command('hot', 'The markets with the most alerts')],
    steps: {
      async hot({ customer }) {
        const schedule = deps.archive.forCaller({ name: `customer:${customer.id}` }).figures;
        const delayMs = await alertDelay(customer, deps);
        const late = delayWords(delayMs);
        for (const { windowMs, words } of WINDOWS) {
          const { mostAlerts } = await deps.figures.hotMarkets({ windowMs, delayMs }, schedule);
          const shown = mostAlerts.slice(0, SHOWN);
          if (shown.length > 0) return hotScreen(`${words}, ${late}`, shown.map(marketLine));
        }
        return hotScreen(`last 30 days, ${late}`, [['It was quiet: no alerts.']]);
      },
    },
  };
}

function hotScreen(window: string, body: readonly Paragraph[]): Screen {
  return plainScreen(
    'hot_markets',
    [[{ bold: `Hot markets, ${window}` }], ...body],
    [[LAST_ALERTS_BUTTON, MENU_BUTTONS]],
  );
}

function marketLine({ eventTitle, eventSlug, alertCount, totalUsdc, avgScore }: HotMarket): Paragraph {
  return [
    { link: marketAddress(eventSlug), text: oneLine(eventTitle) },
    `\n${counted(alertCount, 'alert')}, orders of ${dollars(totalUsdc)}`,
    `, mean score ${Math.round(avgScore)} of 100`,
  ];
}
