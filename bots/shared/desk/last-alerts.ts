import { utcMinute } from '../../../src/core/alert-words.ts';
import { alertLine } from '../alert-line.ts';
import { plainScreen } from '../plain-screen.ts';
import { alertDelay } from './alert-delay.ts';
import { command, type DeskDeps, type Feature } from './feature.ts';
import { HOT_MARKETS, MENU } from './ways-on.ts';
import { delayWords } from './words.ts';

const SHOWN = 5;

/** The newest alerts, as late as for the best of the customer's keys. */
export function lastAlerts({
  alerts,
  ...deps
}: Pick<DeskDeps, 'customers' | 'alerts' | 'clock' | 'freeDelayMs'>): Feature {
  return {
    commands: [command('alerts', 'The newest alerts')],
    steps: {
      async alerts({ customer }) {
        const delayMs = await alertDelay(customer, deps);
        const until = delayMs === 0 ? {} : { until: deps.clock.now() - delayMs };
        const newest = await alerts.latest({ limit: SHOWN, ...until });
        const entries = newest.map((alert) => [...alertLine(alert), `\n${utcMinute(alert.createdAt)}`]);
        return plainScreen(
          'last_alerts',
          [
            [{ bold: 'Last alerts' }, `, ${delayWords(delayMs)}`],
            ...(entries.length === 0 ? ['There are none yet.'] : entries),
          ],
          [[HOT_MARKETS, MENU]],
        );
      },
    },
  };
}
