import { dollars, marketAddress } from '../../../src/core/alert-words.ts';
import { DAY_MS } from '../../../src/core/duration.ts';
import type { HotMarket } from '../../../src/core/ports/alert-store.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Paragraph } from '../screen.ts';
import { command, type DeskDeps, type Feature } from './feature.ts';
import { LAST_ALERTS, MENU } from './ways-on.ts';
import { counted } from './words.ts';

const SHOWN = 5;

/** Where most alerts are, which is public and current for everybody. */
export function hotMarkets({ figures }: Pick<DeskDeps, 'figures'>): Feature {
  return {
    commands: [command('hot', 'The markets with the most alerts of the last 24 hours')],
    steps: {
      async hot() {
        const { mostAlerts } = await figures.hotMarkets({ windowMs: DAY_MS });
        const markets = mostAlerts.slice(0, SHOWN).map(marketLine);
        const quiet = ['It was quiet: no alerts.'];
        return plainScreen(
          'hot_markets',
          [[{ bold: 'Hot markets, last 24 hours' }], ...(markets.length === 0 ? quiet : markets)],
          [[LAST_ALERTS, MENU]],
        );
      },
    },
  };
}

function marketLine({ eventTitle, eventSlug, alertCount, totalUsdc, avgScore }: HotMarket): Paragraph {
  return [
    { link: marketAddress(eventSlug), text: eventTitle },
    `\n${counted(alertCount, 'alert')}, ${dollars(totalUsdc)}, mean score ${Math.round(avgScore)}`,
  ];
}
