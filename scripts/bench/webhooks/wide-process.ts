import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Feed } from '../../../src/core/alerts/ledger/feed.ts';
import { followLedger, ledgerEnd } from '../../../src/core/alerts/ledger/follower.ts';
import { SettlementReader } from '../../../src/core/alerts/settlements/settlement-reader.ts';
import { DATABASE_TIMEOUT_MS } from '../../../src/core/base/database-errors.ts';
import { createFailingNotices } from '../../../src/core/chat/failing-notice.ts';
import { DeliveryEngine } from '../../../src/core/delivery/webhooks/delivery-engine.ts';
import { sendHeartbeats } from '../../../src/core/operations/heartbeat.ts';
import { alertJson } from '../../../src/http/views/alert-view.ts';
import { outcomeEventJson } from '../../../src/http/views/outcome-view.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { isOutcomeUnknown } from '../../../src/infra/database/outage.ts';
import { isOwnerGone, processOwner } from '../../../src/infra/process/process-owner.ts';
import { systemClock as clock } from '../../../src/infra/process/system-clock.ts';
import { noMetrics } from '../../../test/support/no-metrics.ts';
import { silentLogger as logger } from '../../../test/support/silent-logger.ts';
import { cpuSeconds } from '../process-use.ts';
import { serve } from '../remote.ts';

let delayMs = 0;
let sent = 0;

/** In place of a receiver and the way to it, which cost the same whichever process sends. */
const sender = {
  async send() {
    sent += 1;
    if (delayMs > 0) await sleep(delayMs);
    return { status: 200, error: null, durationMs: delayMs };
  },
};

const functions = {
  /** Starts the engine, with what it uses of the service. */
  async start(databaseUrl: string): Promise<void> {
    const database = await openDatabase(databaseUrl);
    const { alerts, heartbeats } = database;
    const owner = processOwner();
    const { signal } = new AbortController();
    const feed = new Feed({ alerts, logger, retry: () => sleep(DATABASE_TIMEOUT_MS) });
    const end = await ledgerEnd(database);
    const checks = async () => ({});
    void sendHeartbeats({ heartbeats, owner, roles: ['deliver'], checks, clock, logger }, signal);
    const engine = new DeliveryEngine({
      ...database,
      ...{ feed, sender, owner, clock, logger, isOutcomeUnknown },
      notifyOwner: createFailingNotices(database.chat),
      signingSecrets: async () => ['none'],
      serialise: alertJson,
      settlements: new SettlementReader(database),
      serialiseOutcome: outcomeEventJson,
      metrics: noMetrics,
      isGone: isOwnerGone,
      yieldToLoop: setImmediate,
    });
    await engine.start(end.id);
    void followLedger({ ...database, feed, clock, logger }, end, signal);
  },
  /** Receivers answer after so many milliseconds from now on. */
  delay(ms: number): void {
    delayMs = ms;
  },
  measure: () => ({ cpuSeconds: cpuSeconds(), sent }),
};

/** A process that delivers. */
export type WideProcess = typeof functions;

serve(functions);
