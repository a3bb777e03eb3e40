import { DoctorSchedule, type FeedPhase } from '../core/ingest/doctor/doctor-schedule.ts';
import type { Ingest } from '../core/ingest/ingest.ts';
import type { RequestBudget } from '../infra/market/polymarket/client/request-budget.ts';
import type { AppContext } from './app-context.ts';

/** The doctor of the process that watches the live market; null elsewhere. `budget` is the feed's. */
export async function wireDoctor(
  { config, clock, logger, metrics: { metrics } }: AppContext,
  ingest: Ingest | null,
  budget: RequestBudget,
): Promise<DoctorSchedule | null> {
  if (ingest === null || config.source.kind !== 'polymarket') return null;
  const { market } = config;
  const random = Math.random;
  const { Doctor } = await import('../infra/market/polymarket/doctor/doctor.ts');
  return new DoctorSchedule({
    doctor: new Doctor({ market, budget, clock, metrics, random }),
    phase: () => phaseOf(ingest),
    clock,
    random,
    logger,
    metrics,
  });
}

function phaseOf(ingest: Ingest): FeedPhase {
  const { state, source } = ingest.status();
  if (state !== 'running' || source === null) return 'off';
  return source.status().state === 'playing' ? 'live' : 'starting';
}
