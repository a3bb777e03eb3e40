import type { Probe } from './probe.ts';
import { clockSkewProbe } from './probes/clock-skew.ts';
import { cursorProbe } from './probes/cursor.ts';
import { freshnessProbe } from './probes/freshness.ts';
import { headPageProbe } from './probes/head-page.ts';
import { marketsProbe } from './probes/markets.ts';
import { nodeHeadProbe } from './probes/node-head.ts';
import { nodeLogsProbe } from './probes/node-logs.ts';
import { orderBookStreamProbe } from './probes/order-book-stream.ts';
import { resolutionsProbe } from './probes/resolutions.ts';
import { tradeStreamProbe } from './probes/trade-stream.ts';
import { walletDatesProbe } from './probes/wallet-dates.ts';

/** All but `routes`, which runs before them. */
export const OTHER_PROBES: readonly Probe[] = [
  headPageProbe,
  freshnessProbe,
  cursorProbe,
  walletDatesProbe,
  marketsProbe,
  resolutionsProbe,
  tradeStreamProbe,
  orderBookStreamProbe,
  nodeHeadProbe,
  nodeLogsProbe,
  clockSkewProbe,
];
