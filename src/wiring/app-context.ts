import type { Config } from '../config.ts';
import type { ArchiveScheduler } from '../core/archive/archive-scheduler.ts';
import type { SteadyClock } from '../core/clock.ts';
import type { CustomerService } from '../core/customers/customer-service.ts';
import type { Database } from '../core/database/database.ts';
import type { Hasher } from '../core/keys/hasher.ts';
import type { Feed } from '../core/ledger/feed.ts';
import type { LogHeads } from '../core/ledger/log-heads.ts';
import type { Logger } from '../core/logger.ts';
import type { PauseFlags } from '../core/operations/pause-flags.ts';
import type { SettlementReader } from '../core/settlements/settlement-reader.ts';
import type { TrustedClock } from '../core/time/trusted-clock.ts';
import type { MetricsExport } from '../infra/metrics.ts';

/** What every room of the service is built from. */
export interface AppContext {
  readonly config: Config;
  readonly clock: SteadyClock;
  /** The clock where it compares itself with others; null where a clock was given. */
  readonly trustedClock: TrustedClock | null;
  readonly logger: Logger;
  readonly metrics: MetricsExport;
  readonly database: Database;
  /** Of the keys' secrets. */
  readonly hasher: Hasher;
  readonly archive: ArchiveScheduler;
  readonly feed: Feed;
  readonly logHeads: LogHeads;
  readonly settlements: SettlementReader;
  readonly customers: CustomerService;
  readonly pauseFlags: PauseFlags;
  /** Names this process; unique among all that ever ran. */
  readonly owner: string;
}
