import type { Alert } from '../../../src/core/alerts/alert.ts';
import { ago } from '../../../src/core/alerts/alert-words.ts';
import { describeResult } from '../../../src/core/alerts/describe-alert.ts';
import { newestOfThreads } from '../../../src/core/alerts/newest-of-threads.ts';
import type { Customer } from '../../../src/core/customers/customer.ts';
import { effectiveTier } from '../../../src/core/keys/api-key.ts';
import { TIER_POLICIES } from '../../../src/core/tier.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import { plainScreen } from '../plain-screen.ts';
import { alertLine } from '../posts/alert-list.ts';
import type { Paragraph } from '../screen.ts';
import { ABOUT_ALERTS_BUTTON, HOT_MARKETS_BUTTON, MENU_BUTTONS } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';
import { delayWords } from './words.ts';

const SHOWN = 5;
/** Read to find that many threads: one may have a dozen alerts. */
const READ = 50;

/** The newest alerts, one of each thread, as late as for the best of the customer's keys. */
export function lastAlerts(
  deps: Pick<ConversationDeps, 'customers' | 'alerts' | 'clock' | 'freeDelayMs'>,
): Feature {
  return {
    commands: [command('alerts', 'The newest alerts')],
    steps: {
      async alerts({ customer }) {
        const delayMs = await alertDelay(customer, deps);
        const now = deps.clock.now();
        const until = delayMs === 0 ? {} : { until: now - delayMs };
        const newest = newestOfThreads(await deps.alerts.latest({ limit: READ, ...until }));
        const entries = newest.slice(0, SHOWN).map((alert) => entry(alert, now));
        return plainScreen(
          'last_alerts',
          [
            [{ bold: 'Last alerts' }, `, ${delayWords(delayMs)}`],
            ...(entries.length === 0 ? ['There are none yet.'] : entries),
          ],
          [[ABOUT_ALERTS_BUTTON], [HOT_MARKETS_BUTTON, MENU_BUTTONS]],
        );
      },
    },
  };
}

/** With its age, and its result once there is one. */
function entry(alert: Alert, now: EpochMs): Paragraph {
  const result = describeResult(alert);
  const age = ` · ${ago(alert.tradedAt, now)}`;
  return [...alertLine(alert), result === null ? age : `${age}\n${result}`];
}

/** How old an alert must be before a customer sees it, milliseconds: that of the best of their keys; 0 is real time. */
export async function alertDelay(
  { id }: Customer,
  { customers, clock, freeDelayMs }: Pick<ConversationDeps, 'customers' | 'clock' | 'freeDelayMs'>,
): Promise<number> {
  const keys = await customers.keysOf(id);
  const now = clock.now();
  const isRealtime = keys.some((key) => TIER_POLICIES[effectiveTier(key, now)].isRealtime);
  return isRealtime ? 0 : freeDelayMs;
}
