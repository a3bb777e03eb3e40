import type { CallerSchedule } from '../../core/alerts/archive/archive-scheduler.ts';
import { putInOf } from '../../core/alerts/bet.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { hiddenAddresses } from '../../core/alerts/hidden-wallets.ts';
import { WALLETS_PATH } from '../../core/alerts/site-paths.ts';
import { listedAlerts } from '../alert-prices.ts';
import { type WalletsQuery, walletsPath, walletsQuerySchema } from '../list-query.ts';
import { ALERTS_READ, type ListedWallet, walletsLikePage, walletsPage } from '../pages/wallets.ts';
import { pageRoute, type SitePart } from '../site.ts';
import { listedSince } from './markets.ts';

const LISTED = 20;
const LIKE_MAX = 20;

export const registerWallets = pageRoute({
  url: WALLETS_PATH,
  query: walletsQuerySchema,
  name: (_path, query) => walletsPath(query),
  async read(part, { query }, schedule) {
    const hidden = await hiddenAddresses(part.site.hiddenWallets);
    const { like } = query;
    if (like !== undefined) {
      const found = await walletsLike(like, hidden, part, schedule);
      const wallets = found.slice(0, LIKE_MAX);
      return () => walletsLikePage(like, { wallets, isMore: found.length > LIKE_MAX });
    }
    const positions = await readPositions(query, hidden, part, schedule);
    return () => walletsPage(query, positions);
  },
});

async function walletsLike(
  like: string,
  hidden: ReadonlySet<string>,
  { deps }: SitePart,
  { searches }: CallerSchedule,
): Promise<readonly string[]> {
  const [start = '', end = ''] = like.split('…');
  const until = visibleUntil(DELAYED, deps);
  const bound = { until, limit: LIKE_MAX + 1 + hidden.size };
  const named = await searches(() => deps.alerts.walletsNamed({ start, end }, bound));
  return named.filter((wallet) => !hidden.has(wallet));
}

/** Of each wallet the largest of its open positions, by the sum of them, or the newest; as its newest alert states it. */
async function readPositions(
  { sort }: WalletsQuery,
  hidden: ReadonlySet<string>,
  part: SitePart,
  { searches }: CallerSchedule,
): Promise<readonly ListedWallet[]> {
  const { deps, site } = part;
  const until = visibleUntil(DELAYED, deps);
  const since = await listedSince(part, until);
  const filter = { side: 'BUY', isResolved: false, isPerBet: true, since, until } as const;
  const order = sort === undefined && ({ highest: 'putInUsdc' } as const);
  const { alerts } = await searches(() =>
    deps.alerts.search(filter, { page: 1, pageSize: ALERTS_READ, ...order }),
  );
  const own = alerts.filter(({ type, wallet }) => type !== 'cluster' && !hidden.has(wallet));
  const exits = await deps.exits.ofList(own, until);
  const held = own.filter(({ id }) => exits.get(id)?.level !== 'out');
  const wallets = [...Map.groupBy(held, ({ wallet }) => wallet).values()].map((positions) => {
    return { positions, usdc: positions.reduce((sum, alert) => sum + putInOf(alert), 0) };
  });
  const first = sort === undefined ? wallets.toSorted((a, b) => b.usdc - a.usdc) : wallets;
  const shown = first.slice(0, LISTED);
  const newest = shown.flatMap(({ positions }) => positions.slice(0, 1));
  const listed = await listedAlerts(newest, { prices: site.prices, exits: deps.exits }, until);
  return listed.map((row, index) => {
    const { positions = [], usdc = 0 } = shown[index] ?? {};
    return { ...row, open: positions.length, usdc };
  });
}
