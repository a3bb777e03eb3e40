import type { Config } from '../config.ts';
import type { CustomerService } from '../core/accounts/customers/customer-service.ts';
import type { Hasher } from '../core/accounts/keys/key-text.ts';
import type { ReadTurns } from '../core/alerts/alert-index/read-turns.ts';
import type { ExitReader } from '../core/alerts/exits/exit-reader.ts';
import type { Feed } from '../core/alerts/ledger/feed.ts';
import type { LogHeads } from '../core/alerts/ledger/log-heads.ts';
import type { SettlementReader } from '../core/alerts/settlements/settlement-reader.ts';
import type { Logger } from '../core/base/logger.ts';
import type { SteadyClock } from '../core/base/time/clock.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import type { Database } from '../core/database.ts';
import type { PauseFlags } from '../core/operations/pause-flags.ts';
import type { MetricsExport } from '../infra/telemetry/metrics.ts';

export interface AppContext {
  readonly config: Config;
  readonly clock: SteadyClock;
  /** The clock of this host was set, and nothing is published for now. */
  readonly isClockHeld: () => boolean;
  /** The time by which leases expire: the database's, where it has a clock. */
  readonly leaseTime: () => Promise<EpochMs>;
  readonly logger: Logger;
  readonly metrics: MetricsExport;
  readonly database: Database;
  readonly hasher: Hasher;
  readonly turns: ReadTurns;
  readonly feed: Feed;
  readonly logHeads: LogHeads;
  readonly settlements: SettlementReader;
  readonly exits: ExitReader;
  readonly customers: CustomerService;
  readonly pauseFlags: PauseFlags;
  readonly owner: string;
}
