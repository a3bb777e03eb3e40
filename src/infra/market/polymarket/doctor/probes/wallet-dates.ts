import pLimit from 'p-limit';
import { withDeadline } from '../../../../../core/base/async/with-timeout.ts';
import { SECOND_MS } from '../../../../../core/base/time/duration.ts';
import { type ProbeFinding, VERDICTS } from '../../../../../core/ingest/doctor/doctor-report.ts';
import { UpstreamFault } from '../../client/market-client.ts';
import { accountAge } from '../../wallets/account-age.ts';
import { type Asking, TradeHistory } from '../../wallets/trade-history.ts';
import { found, foundShare, type Probe, sampleOf } from '../probe.ts';

const CONCURRENCY = 4;
/** Questions without an answer by then do not count: the feed may be using the budget. */
const LIMIT_MS = 40 * SECOND_MS;
const LEAST = 5;

export const walletDatesProbe: Probe = {
  name: 'wallet_dates',
  action:
    'Wallets without a date are never fresh: alerts of their buys are missing. Check which of the sources has none.',
  needs: ['/v2/trades', '/v2/trades?user', '/v2/user-stats', '/v2/activity', '/public-profile'],
  async find({ client, clock, head }, signal) {
    const { wallets } = sampleOf(head);
    const limit = pLimit(CONCURRENCY);
    const sources: string[] = [];
    await withDeadline({ clock, deadlineMs: LIMIT_MS, signal }, (within) =>
      limit.map(wallets, async ({ wallet, at: before }) => {
        const source = await sourceOf({ client, wallet, before, signal: within });
        if (!within.aborted) sources.push(source);
      }),
    );
    signal.throwIfAborted();
    return findingOf(sources, Math.min(LEAST, wallets.length));
  },
};

async function sourceOf(asking: Asking): Promise<string> {
  try {
    const age = await accountAge(asking, new TradeHistory(asking));
    return 'reason' in age ? 'none' : age.source;
  } catch (error) {
    if (asking.signal.aborted || error instanceof UpstreamFault) return 'failed';
    throw error;
  }
}

function findingOf(sources: readonly string[], least: number): ProbeFinding {
  if (sources.length < least)
    return found('fail', `only ${sources.length} wallets were answered within ${LIMIT_MS / 1_000} s`);
  const groups = [...Map.groupBy(sources, (source) => source)];
  const counts = groups.map(([source, { length }]) => `${source} ${length}`).join(', ');
  const count = sources.filter((source) => source !== 'none' && source !== 'failed').length;
  return foundShare(VERDICTS.walletDates, { count, of: sources.length, what: `wallets (${counts})` });
}
