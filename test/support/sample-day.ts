import type { Alert } from '../../src/core/alerts/alert.ts';
import { sandboxAlertJson } from '../../src/http/views/alert-view.ts';

const DAY = '2022-11-07';

export function sampleDayFile(alerts: readonly Alert[]): string {
  const lines = alerts
    .filter(({ createdAt }) => new Date(createdAt).toISOString().startsWith(DAY))
    .map((alert) => `  '${sandboxAlertJson(alert).replace(/[\\']/g, '\\$&')}',\n`);
  return `/** Made by \`npm run sample-day\` from the tape of 2022: the UTC day, and each of its alerts as JSON. */
export const SAMPLE_DAY = '${DAY}';
export const SAMPLE_ALERTS: readonly string[] = [
${lines.join('')}];
`;
}
