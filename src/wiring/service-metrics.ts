import { withTimeout } from '../core/base/async/with-timeout.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import { VERSION } from '../infra/outgoing/user-agent.ts';
import type { AppContext } from './app-context.ts';

/** A scrape gets its answer within Prometheus' default limit of 10 s. */
const READ_TIMEOUT_MS = 1_500;

/** Exposes what is running, whether its database answers, and how old the last alert and the record are, in every role. */
export function exportServiceMetrics({ config, clock, metrics, database }: AppContext): void {
  let publishedAt: EpochMs | null = null;
  let recordedAt: EpochMs | null = null;
  // The last alert that was seen ages on while the database is away.
  const readLast = async () => {
    publishedAt = (await database.alerts.last())?.publishedAt ?? publishedAt;
  };
  const readRecord = async () => {
    recordedAt = (await database.records.get())?.at ?? recordedAt;
  };
  const ageOf = (at: EpochMs | null) => (at === null ? null : Math.max(0, clock.now() - at));
  const isDone = (call: Promise<void>) =>
    withTimeout({ clock, timeoutMs: READ_TIMEOUT_MS }, call).then(
      () => true,
      () => false,
    );
  metrics.watchService({
    version: VERSION,
    roles: config.roles,
    isDatabaseUp: () => isDone(database.ping()),
    async lastAlertAgeMs() {
      await isDone(readLast());
      return ageOf(publishedAt);
    },
    async recordAgeMs() {
      await isDone(readRecord());
      return ageOf(recordedAt);
    },
  });
}
