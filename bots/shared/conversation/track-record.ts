import { ratesOf } from '../../../src/core/record/win-rates.ts';
import { plainScreen } from '../plain-screen.ts';
import { percentToTenth, recordLine } from '../posts/digest-post.ts';
import { ABOUT_ALERTS_BUTTON, LAST_ALERTS_BUTTON, MENU_BUTTONS } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';
import { alertDelay } from './last-alerts.ts';

/** How often alerts were right: of all time as in GET /stats, of the last 30 days as in the digest, and in the backtest. */
export function trackRecord(
  deps: Pick<ConversationDeps, 'figures' | 'archive' | 'customers' | 'clock' | 'freeDelayMs'>,
): Feature {
  return {
    commands: [command('record', 'How often alerts were right')],
    steps: {
      async record({ customer }) {
        const schedule = deps.archive.forCaller({ name: `customer:${customer.id}` });
        const delayMs = await alertDelay(customer, deps);
        const { totalResolved, totalWon } = await deps.figures.stats({ delayMs }, schedule.figures);
        const own =
          totalResolved === 0
            ? ['No alert of this service is settled yet.']
            : [allTime(totalResolved, totalWon), await lastDays(delayMs, schedule.searches)];
        return plainScreen(
          'record',
          [
            [{ bold: 'How often alerts were right' }],
            ...own,
            `In the backtest, ${BACKTEST_WORDS}.`,
            'Compare a share that was right with the share needed to break even, never with 50 %. Alerts of one market are settled together: count them as one.',
          ],
          [[ABOUT_ALERTS_BUTTON], [LAST_ALERTS_BUTTON, MENU_BUTTONS]],
        );
      },
    },
  };

  async function lastDays(
    delayMs: number,
    schedule: Parameters<ConversationDeps['figures']['preview']>[2],
  ): Promise<string> {
    const { resolved, won, entrySum, markets } = await deps.figures.preview({}, { delayMs }, schedule);
    const { averageEntry } = ratesOf({ resolved, won, entrySum });
    return recordLine({ resolved, markets: markets.resolved, won, averageEntry });
  }
}

/** Losses are counted as wins are. */
function allTime(resolved: number, won: number): string {
  const [right, settled] = [won.toLocaleString('en-US'), resolved.toLocaleString('en-US')];
  return `All time: ${right} of ${settled} alerts on settled markets were right: ${percentToTenth(won / resolved)}.`;
}

/** The result of the backtest in docs/reading-alerts.md, which states how it was made. */
export const BACKTEST_WORDS =
  'on the tape of the 2022 US midterms 109 of 222 alerts were right, where the prices paid needed 57 % to break even: no evidence that they beat the price';
