import { setTimeout as delay } from 'node:timers/promises';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { entryLine } from '../../src/core/alerts/log/seal.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { startService } from './service-process.ts';
import { observationsOf } from './stored-observations.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

/** A process that has just started works slowly at first. */
const WARM_UP_MS = 300;

const settings = (url: string) => ({
  DATABASE_URL: url,
  MARKET_SOURCE: `replay:${TAPE}`,
  SNAPSHOT_SECONDS: '0.1',
  ROLES: 'ingest',
});

interface SurvivingState {
  readonly alerts: readonly Alert[];
  readonly log: readonly string[];
  readonly observations: readonly string[];
}

/** Replays the tape to its end with nothing in the way. `workMs`: from the first row to the last. */
export async function runUndisturbed(url: string): Promise<SurvivingState & { readonly workMs: number }> {
  const service = startService(settings(url));
  try {
    await service.logged('ingesting');
    const startedAt = performance.now();
    await service.logged('the source has ended');
    const workMs = performance.now() - startedAt;
    await service.end('SIGTERM');
    return { ...(await keptIn(url)), workMs };
  } finally {
    await service.end('SIGKILL');
  }
}

interface CrashRun {
  readonly url: string;
  readonly kills: number;
  /** Undisturbed, of the whole tape; the moments of death are spread over it. */
  readonly workMs: number;
  readonly random: () => number;
}

/** Replays the tape to its end, killed with SIGKILL at random moments and started again each time. */
export async function runWithKills({ url, kills, workMs, random }: CrashRun): Promise<SurvivingState> {
  for (let kill = 1; kill <= kills; kill++) {
    const service = startService(settings(url));
    // A third of the deaths are anywhere in the start, the others anywhere in the work.
    try {
      if (random() < 0.67) await service.logged('ingesting');
      await delay(random() * (WARM_UP_MS + (2.5 * workMs) / kills));
    } finally {
      await service.end('SIGKILL');
    }
  }
  return runUndisturbed(url);
}

async function keptIn(url: string): Promise<SurvivingState> {
  await using database = await openDatabase(url);
  const alerts = await database.alerts.after(0, 100_000);
  const entries = await database.log.after(0, 100_000);
  const { markets, hours } = await observationsOf(database);
  const observations = [...markets, ...hours].map((observed) => JSON.stringify(observed));
  return { alerts, log: entries.map(entryLine), observations };
}
