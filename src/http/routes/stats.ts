import { z } from 'zod';
import { alertAgeFor } from '../../core/alerts/free-delay.ts';
import { rounded } from '../../core/base/rounded.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { decimal, integer } from '../schemas/fields.ts';
import type { Api, ServerDeps } from '../server-deps.ts';

const EXAMPLE = {
  total_alerts: 48213,
  alerts_today: 164,
  avg_signal_today: 63.27,
  clusters_today: 5,
  win_rate: 0.5625,
  total_resolved: 32000,
  total_won: 18000,
};

const statsSchema = z
  .object({
    total_alerts: integer('All-time number of alerts.'),
    alerts_today: integer('Alerts since UTC midnight.'),
    avg_signal_today: decimal('Average signal score of today’s alerts; 0 when there are none.'),
    clusters_today: integer('Times several fresh wallets were caught coordinating buys today.'),
    win_rate: z
      .number()
      .min(0)
      .max(1)
      .describe(
        'Fraction (0 to 1) of alerts on resolved markets whose trade was correct; 0 when there are none.',
      ),
    total_resolved: integer('Alerts whose market has resolved.'),
    total_won: integer('Of those, alerts that were correct.'),
  })
  .meta({
    id: 'Stats',
    description: 'Counts of all alerts. Today begins at UTC midnight.',
    examples: [EXAMPLE],
  });

export function registerStats(app: Api, deps: ServerDeps): void {
  app.get('/stats', {
    // Contract, GET /stats: "does not count against the rate limit".
    config: { isUnmetered: true },
    schema: {
      operationId: 'getStats',
      tags: ['Markets'],
      summary: 'Counts of all alerts',
      description:
        'Needs a key of any tier and does not count against the rate limit. Figures may be up to 10 seconds old. For a free ' +
        'key they exclude alerts younger than 5 minutes: its counters of today are 0 for the first 5 minutes after ' +
        'UTC midnight, and never include alerts of the last 5 minutes of a day.',
      response: { 200: statsSchema },
    },
    async handler(request) {
      const delayMs = alertAgeFor(request.audience, deps);
      const stats = await deps.figures.stats({ delayMs }, scheduleOf(request, deps).figures);
      return {
        total_alerts: stats.totalAlerts,
        alerts_today: stats.alertsToday,
        avg_signal_today: rounded(stats.avgScoreToday, 2),
        clusters_today: stats.clustersToday,
        win_rate: stats.totalResolved === 0 ? 0 : stats.totalWon / stats.totalResolved,
        total_resolved: stats.totalResolved,
        total_won: stats.totalWon,
      };
    },
  });
}
