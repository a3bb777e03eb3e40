import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { walletPath } from '../../core/alerts/site-paths.ts';
import { isHidden } from '../../core/alerts/statements/statement-store.ts';
import { ADDRESS } from '../../http/query/query-values.ts';
import { listedAlerts } from '../alert-prices.ts';
import { reportPath, reportQuerySchema } from '../list-query.ts';
import { walletPage } from '../pages/wallet.ts';
import { pageRoute } from '../site.ts';

const LISTED = 20;

export const registerWallet = pageRoute({
  url: '/wallets/:address',
  query: reportQuerySchema,
  path: ({ address = '' }) => (ADDRESS.test(address) ? walletPath(address) : null),
  name: reportPath,
  async make({ deps, site: { prices, statements } }, { params, query }, { searches }) {
    const until = visibleUntil(DELAYED, deps);
    const address = (params['address'] ?? '').toLowerCase();
    const stated = await statements.ofWallet(address);
    if (isHidden(stated)) return null;
    const { before_id: beforeId } = query;
    const report = await searches(() =>
      deps.alerts.walletReport(address, {
        until,
        settledUntil: Number.POSITIVE_INFINITY,
        limit: LISTED,
        ...(beforeId !== undefined && { beforeId }),
      }),
    );
    if (report === null) return null;
    const rows = await listedAlerts(report.alerts, { prices, exits: deps.exits }, until);
    const notes = stated.filter(({ kind, at }) => kind === 'annotate' && at <= until);
    const conclusion = deps.record.read()?.report.conclusion ?? null;
    const now = deps.clock.now();
    return walletPage(address, report, { now, rows, notes, conclusion, query });
  },
});
