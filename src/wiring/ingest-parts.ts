import type { Alert } from '../core/alerts/alert.ts';
import { ExitLedger } from '../core/alerts/exits/exit-ledger.ts';
import { Ledger } from '../core/alerts/ledger/ledger.ts';
import { rulesIdentity } from '../core/alerts/ledger/log-drafts.ts';
import { LogRecorder } from '../core/alerts/ledger/log-recorder.ts';
import { LogWriter } from '../core/alerts/log/log-writer.ts';
import type { MarketSettlement } from '../core/alerts/settlement.ts';
import type { Logger } from '../core/base/logger.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { Database } from '../core/database.ts';
import type { DetectionRules } from '../core/detection/rules.ts';
import type { IngestMetrics } from '../core/ingest/ingest-deps.ts';
import { sha256 } from '../infra/secrets/key-crypto.ts';

export interface IngestPartsOptions {
  readonly database: Database;
  readonly rules: DetectionRules;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: IngestMetrics;
  readonly onAppended: (alerts: readonly Alert[]) => void;
  readonly onSettled: (settlement: MarketSettlement) => void;
}

/** The part of an ingest behind its source, the same in the service and in a backtest. */
export function ingestParts(options: IngestPartsOptions) {
  const { database, onAppended, onSettled, ...tools } = options;
  const { rules, clock, logger, metrics } = tools;
  const { alerts, alertIndex: index, settlements, exits, log, markets, coverage, groups } = database;
  const writer = new LogWriter({ log, sha256, onWritten: (entries) => index.add(entries) });
  return {
    ...tools,
    writer,
    logRecorder: new LogRecorder({ writer, log, coverage, clock, logger }),
    log,
    rulesIdentity: rulesIdentity(rules, sha256),
    ledger: new Ledger({
      alerts,
      index,
      settlements,
      log,
      markets,
      writer,
      groups,
      clock,
      metrics,
      onAppended,
      onSettled,
    }),
    exits: new ExitLedger({ exits, log, alerts, writer }),
    store: database.ingest,
    prices: database.prices,
  };
}
