import { betOf } from '../../src/core/alerts/bet.ts';
import { standingExits } from '../../src/core/alerts/exits/exit-reader.ts';
import { sandboxAlertJson } from '../../src/http/views/alert-view.ts';
import type { SurvivingState } from './crash-run.ts';

const DAY = '2022-11-07';

export function sampleDayFile({ alerts, log }: Pick<SurvivingState, 'alerts' | 'log'>): string {
  const exits = log.map((line) => JSON.parse(line)).filter(({ kind }) => /^exit/.test(kind));
  const ofThread = Map.groupBy(exits, ({ body }) => body.thread_id);
  const lines = alerts
    .filter(({ createdAt }) => new Date(createdAt).toISOString().startsWith(DAY))
    .map((alert) => {
      const own = (ofThread.get(alert.threadId) ?? []).map(({ body }) => ({ ...body, log: null }));
      const last = standingExits(own).at(-1) ?? null;
      const bet = betOf(
        {
          ...(alerts.findLast(({ threadId }) => threadId === alert.threadId) ?? alert),
          resolution: alert.resolution,
        },
        last && { alertIds: last.alert_ids, heldShares: last.held_shares, peakShares: last.peak_shares },
      );
      const json = sandboxAlertJson(alert, bet, { state: last?.level ?? 'none', exits: own });
      return `  '${json.replace(/[\\']/g, '\\$&')}',\n`;
    });
  return `/** Made by \`npm run sample-day\` from the tape of 2022: the UTC day, and each of its alerts as JSON. */
export const SAMPLE_DAY = '${DAY}';
export const SAMPLE_ALERTS: readonly string[] = [
${lines.join('')}];
`;
}
