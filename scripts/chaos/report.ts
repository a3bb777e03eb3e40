import type { FaultResult } from './run-fault.ts';

const COLUMNS = [
  'fault',
  'alerts',
  'lasted',
  'normal after',
  'trade→alert',
  'REST worst',
  'statuses',
  'readyz',
  'healthz',
  'webhooks unknown',
  'verdict',
];

/** A table in Markdown; times are the worst. */
export function tableOf(results: readonly FaultResult[]): string {
  const rows = results.map(rowOf);
  return [COLUMNS, COLUMNS.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function rowOf({
  name,
  alerts,
  measured,
  lastedMs,
  normalAfterMs,
  unknownWebhooks,
  problems,
  late,
}: FaultResult): string[] {
  const { worstAlertMs, worstAnswerMs, worstReadyMs, worstAliveMs, statuses } = measured;
  const counted = [...statuses]
    .toSorted(([a], [b]) => b - a)
    .map(([status, count]) => `${count}×${status || 'cut'}`);
  return [
    name,
    String(alerts || '—'),
    seconds(lastedMs),
    seconds(normalAfterMs),
    seconds(worstAlertMs),
    seconds(worstAnswerMs),
    counted.join(' '),
    seconds(worstReadyMs),
    seconds(worstAliveMs),
    String(unknownWebhooks),
    [...problems, ...late].join('; ') || 'held',
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
