import { utcMinute } from '../../../src/core/alert-words.ts';
import { effectiveTier } from '../../../src/core/keys/api-key.ts';
import { TIER_POLICIES } from '../../../src/core/tier.ts';
import { alertLine } from '../alert-line.ts';
import { plainScreen } from '../plain-screen.ts';
import { command, type DeskDeps, type Feature } from './feature.ts';
import { HOT_MARKETS, MENU } from './ways-on.ts';
import { delayWords } from './words.ts';

const SHOWN = 5;

/** The newest alerts, as late as for the best of the customer's keys. */
export function lastAlerts({
  customers,
  alerts,
  clock,
  freeDelayMs,
}: Pick<DeskDeps, 'customers' | 'alerts' | 'clock' | 'freeDelayMs'>): Feature {
  return {
    commands: [command('alerts', 'The newest alerts')],
    steps: {
      async alerts({ customer }) {
        const now = clock.now();
        const keys = await customers.keysOf(customer.id);
        const isRealtime = keys.some((key) => TIER_POLICIES[effectiveTier(key, now)].isRealtime);
        const until = isRealtime ? {} : { until: now - freeDelayMs };
        const newest = await alerts.latest({ limit: SHOWN, ...until });
        const entries = newest.map((alert) => [...alertLine(alert), `\n${utcMinute(alert.createdAt)}`]);
        return plainScreen(
          'last_alerts',
          [
            [{ bold: 'Last alerts' }, `, ${delayWords(isRealtime ? 0 : freeDelayMs)}`],
            ...(entries.length === 0 ? ['There are none yet.'] : entries),
          ],
          [[HOT_MARKETS, MENU]],
        );
      },
    },
  };
}
