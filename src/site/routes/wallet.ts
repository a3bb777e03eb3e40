import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { walletPath } from '../../core/alerts/site-paths.ts';
import { isHidden } from '../../core/alerts/statements/statement-store.ts';
import type { WalletReport } from '../../core/alerts/wallet-report.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { ADDRESS } from '../../http/query/query-values.ts';
import { walletPage } from '../pages/wallet.ts';
import type { ListedPosition } from '../parts/position-row.ts';
import { runningBots } from '../service-report.ts';
import { pageRoute, type SitePart } from '../site.ts';

/** Positions on the page; the list of alerts has the others. */
const LISTED = 20;

export const registerWallet = pageRoute({
  url: '/wallets/:address',
  path: ({ address = '' }) => (ADDRESS.test(address) ? walletPath(address) : null),
  async make(part, { params }, { searches }) {
    const { deps, site } = part;
    const until = visibleUntil(DELAYED, deps);
    const address = (params['address'] ?? '').toLowerCase();
    const stated = await site.statements.ofWallet(address);
    if (isHidden(stated)) return null;
    const report = await searches(() =>
      deps.alerts.walletReport(address, { until, settledUntil: Number.POSITIVE_INFINITY, limit: 1 }),
    );
    if (report === null) return null;
    const positions = await listedPositions(report, part, until);
    const notes = stated.filter(({ kind, at }) => kind === 'annotate' && at <= until);
    const conclusion = deps.record.read()?.report.conclusion ?? null;
    const ways = { bots: await runningBots(part), publicUrl: deps.publicUrl };
    return walletPage(address, report, { positions, notes, conclusion, ways });
  },
});

async function listedPositions(
  { positions }: WalletReport,
  { deps, site }: SitePart,
  until: EpochMs,
): Promise<readonly ListedPosition[]> {
  const shown = positions.newest.slice(0, LISTED);
  const exits = await deps.exits.ofThreads(
    shown.flatMap(({ threadId }) => threadId ?? []),
    until,
  );
  const listed = shown.map(async (position) => ({
    ...position,
    priceNow: await site.prices.lastOf(position.newest, until),
    exit: (position.threadId !== null && exits.get(position.threadId)) || null,
  }));
  return Promise.all(listed);
}
