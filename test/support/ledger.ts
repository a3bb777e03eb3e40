import { ExitLedger } from '../../src/core/alerts/exits/exit-ledger.ts';
import { Ledger } from '../../src/core/alerts/ledger/ledger.ts';
import { rulesIdentity } from '../../src/core/alerts/ledger/log-drafts.ts';
import { LogRecorder } from '../../src/core/alerts/ledger/log-recorder.ts';
import { LogWriter } from '../../src/core/alerts/log/log-writer.ts';
import { untilAborted } from '../../src/core/base/async/repeat.ts';
import type { Database } from '../../src/core/database.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { IngestDeps } from '../../src/core/ingest/ingest-deps.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';
import { noMetrics } from './no-metrics.ts';
import { silentLogger } from './silent-logger.ts';

type LedgerDeps = ConstructorParameters<typeof Ledger>[0];
type Stores = Pick<Database, 'alerts' | 'alertIndex' | 'settlements' | 'exits' | 'log' | 'markets'>;

function writerOf({ log, alertIndex }: Pick<Stores, 'log' | 'alertIndex'>): LogWriter {
  return new LogWriter({ log, sha256, onWritten: (entries) => alertIndex.add(entries) });
}

/** A ledger over the stores that is not open, with a log of its own. */
export function ledgerOver(stores: Stores, given: Partial<LedgerDeps> = {}): Ledger {
  return new Ledger({
    alerts: stores.alerts,
    index: stores.alertIndex,
    settlements: stores.settlements,
    log: stores.log,
    markets: stores.markets,
    writer: writerOf(stores),
    clock: { now: () => 0 },
    groups: { most: 64, slowMs: 25 },
    metrics: noMetrics,
    onAppended: () => {},
    onSettled: () => {},
    ...given,
  });
}

/** What an ingest needs of the ledger and the log. What is fed to the log is looked for once, when the run starts. */
export function ledgerParts(
  database: Stores & Pick<Database, 'coverage'>,
  given: Partial<LedgerDeps> = {},
): Pick<IngestDeps, 'ledger' | 'exits' | 'writer' | 'logRecorder' | 'log' | 'rulesIdentity'> {
  const writer = writerOf(database);
  const clock = {
    now: () => 0,
    sleep: (_ms: number, signal?: AbortSignal) => untilAborted(signal as AbortSignal),
  };
  const { log, coverage } = database;
  return {
    writer,
    ledger: ledgerOver(database, { writer, ...given }),
    exits: new ExitLedger({
      exits: database.exits,
      log: database.log,
      alerts: database.alerts,
      writer,
    }),
    logRecorder: new LogRecorder({
      writer,
      log,
      coverage,
      clock,
      logger: silentLogger,
    }),
    log,
    rulesIdentity: rulesIdentity(DEFAULT_RULES, sha256),
  };
}
