import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { hiddenAddresses } from '../../core/alerts/hidden-wallets.ts';
import { WALLETS_PATH } from '../../core/alerts/site-paths.ts';
import { likePath, likeQuerySchema } from '../list-query.ts';
import { walletsLikePage } from '../pages/wallets-like.ts';
import { pageRoute } from '../site.ts';

const LISTED = 20;

/** What the search leads to where an address that was printed in part is that of several wallets, or of none. */
export const registerWalletsLike = pageRoute({
  url: WALLETS_PATH,
  query: likeQuerySchema,
  name: (path, { like }) => (like === undefined ? path : likePath(like)),
  async read({ deps, site }, { query: { like } }, { searches }) {
    if (like === undefined) return null;
    const [start = '', end = ''] = like.split('…');
    const hidden = await hiddenAddresses(site.hiddenWallets);
    const bound = { until: visibleUntil(DELAYED, deps), limit: LISTED + 1 + hidden.size };
    const named = await searches(() => deps.alerts.walletsNamed({ start, end }, bound));
    const found = named.filter((wallet) => !hidden.has(wallet));
    return () => walletsLikePage(like, { wallets: found.slice(0, LISTED), isMore: found.length > LISTED });
  },
});
