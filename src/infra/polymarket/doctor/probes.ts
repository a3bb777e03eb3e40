import type { Probe } from './probe.ts';
import { marketsProbe, resolutionsProbe } from './probes/markets.ts';
import { nodeHeadProbe, nodeLogsProbe } from './probes/node.ts';
import { orderBookStreamProbe, tradeStreamProbe } from './probes/streams.ts';
import { clockSkewProbe, cursorProbe, freshnessProbe, headPageProbe } from './probes/trade-list.ts';
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
