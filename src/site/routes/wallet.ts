import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { hiddenAddresses } from '../../core/alerts/hidden-wallets.ts';
import { walletPath } from '../../core/alerts/site-paths.ts';
import { ADDRESS } from '../../http/query/query-values.ts';
import { listedAlerts, walletBets, withPrices } from '../alert-prices.ts';
import { walletPage } from '../pages/wallet.ts';
import { runningBots } from '../service-report.ts';
import { pageRoute } from '../site.ts';

export const registerWallet = pageRoute({
  url: '/wallets/:address',
  path: ({ address = '' }) => (ADDRESS.test(address) ? walletPath(address) : null),
  async read(part, { params }) {
    const { deps, site } = part;
    const until = visibleUntil(DELAYED, deps);
    const address = (params['address'] ?? '').toLowerCase();
    if ((await hiddenAddresses(site.hiddenWallets)).has(address)) return null;
    const report = await deps.alerts.walletReport(address, { until, limit: 1 });
    if (report === null) return null;
    const sources = { prices: site.prices, exits: deps.exits };
    const bets = await withPrices(await walletBets(report, deps.exits, until), site.prices, until);
    const clusters = await listedAlerts(report.clusters.newest, sources, until);
    const { conclusion } = (await deps.record.read()).report;
    const bots = await runningBots(part);
    return () => walletPage(address, report, { bets, clusters, conclusion, bots });
  },
});
