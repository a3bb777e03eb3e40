import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Figures } from '../../core/figures.ts';
import { protectedReplies } from '../replies.ts';

const statsSchema = z.object({
  total_alerts: z.number().int(),
  alerts_today: z.number().int(),
  avg_signal_today: z.number(),
  clusters_today: z.number().int(),
  win_rate: z.number().min(0).max(1),
  total_resolved: z.number().int(),
  total_won: z.number().int(),
});

export function registerStats(
  app: FastifyInstance,
  { figures }: { readonly figures: Pick<Figures, 'stats'> },
): void {
  app.withTypeProvider<ZodTypeProvider>().get('/stats', {
    // Contract, GET /stats: "does not count against the rate limit".
    config: { isUnmetered: true },
    schema: { summary: 'Counts of all alerts', response: { 200: statsSchema, ...protectedReplies } },
    async handler() {
      const stats = await figures.stats();
      return {
        total_alerts: stats.totalAlerts,
        alerts_today: stats.alertsToday,
        avg_signal_today: Math.round(stats.avgScoreToday * 100) / 100,
        clusters_today: stats.clustersToday,
        win_rate: stats.totalResolved === 0 ? 0 : stats.totalWon / stats.totalResolved,
        total_resolved: stats.totalResolved,
        total_won: stats.totalWon,
      };
    },
  });
}
