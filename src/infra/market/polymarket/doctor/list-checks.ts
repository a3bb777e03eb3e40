import { counted, utcDay } from '../../../../core/base/text/formats.ts';
import { type EpochMs, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import { noLogger } from '../../../telemetry/no-logger.ts';
import { isConditionId } from '../../tapes/text-fields.ts';
import { gammaMarkets, gammaMarketsOfTokens } from '../markets/gamma-markets.ts';
import { marketLine } from '../markets/market-line.ts';
import { askResolutions } from '../resolutions/resolution-answers.ts';
import { askStatus } from '../trades/feed-silence.ts';
import { createTradePages, NEWEST_PAGE, type ReadPage, type TradePage } from '../trades/trade-pages.ts';
import { firstActivity, joinDate, profileDate } from '../wallets/account-age.ts';
import { type Asking, TradeHistory } from '../wallets/trade-history.ts';
import { type Check, type Examination, Misfit, shareText, UPDATE } from './check.ts';

/** The newest page of trades, and its reader. */
interface Head {
  readonly page: TradePage;
  readonly readPage: ReadPage;
  readonly badRows: () => number;
}

/** Wallets (by a trade of each), markets and tokens that were just traded. */
export interface Sample {
  readonly isReal: boolean;
  readonly trades: readonly Pick<Trade, 'wallet' | 'at'>[];
  readonly marketIds: readonly string[];
  readonly tokens: readonly string[];
}

/** With it an address shows that it answers, and no more. */
const MADE_UP: Sample = {
  isReal: false,
  trades: [{ wallet: `0x${'1'.repeat(40)}`, at: Date.UTC(2026, 0, 1) }],
  marketIds: [`0x${'1'.repeat(64)}`],
  tokens: ['1'],
};
const SAMPLE_MAX = 20;
/** Many wallets have no profile, and some no date. */
const WALLETS_MAX = 5;
/** The list is rebuilt every 4 s. */
const AGAIN_AFTER_MS = 5 * SECOND_MS;
/** 3 to 11 s on a healthy market (measured in September 2026). */
const TRADE_AGE_MAX_MS = 60 * SECOND_MS;
/** Markets that were created seconds ago may not be described yet. */
const DESCRIBED_MIN = 0.5;
const READABLE_MIN = 0.95;
const USE_NODE = 'Alerts are late by as much: use a node (POLYGON_RPC_URL).';

export async function readHead({ client, clock, signal }: Examination): Promise<Head> {
  let badRows = 0;
  const readPage = createTradePages({
    client,
    clock,
    logger: noLogger,
    onDrop: (reason) => {
      if (reason !== 'combo') badRows += 1;
    },
    onPage: () => {},
  });
  const page = await readPage(NEWEST_PAGE, { purpose: 'poll', signal });
  return { page, readPage, badRows: () => badRows };
}

/** Made up when the newest page cannot be read: the check of that page says why. */
export async function sampleOf(head: Promise<Head>): Promise<Sample> {
  const trades = await head.then(
    ({ page }) => page.fills.map(({ trade }) => trade),
    () => [],
  );
  if (trades.length === 0) return MADE_UP;
  const byWallet = new Map(trades.map((trade) => [trade.wallet, trade]));
  const first = (ids: readonly string[]) => [...new Set(ids)].slice(0, SAMPLE_MAX);
  return {
    isReal: true,
    trades: [...byWallet.values()].slice(0, WALLETS_MAX),
    marketIds: first(trades.map(({ marketId }) => marketId).filter(isConditionId)),
    tokens: first(trades.map(({ asset }) => asset)),
  };
}

export function listChecks(
  examination: Examination,
  head: Promise<Head>,
  { trades, marketIds, tokens }: Sample,
): readonly Check[] {
  const { client, market, signal } = examination;
  const data = new URL(market.dataUrl).host;
  const gamma = new URL(market.gammaUrl).host;
  const askings = trades.map(({ wallet, at }) => ({ client, wallet, before: at, signal }));
  const described = (markets: ReadonlyMap<string, unknown>, of: number) => {
    const count = [...markets.values()].filter((value) => !('kind' in marketLine(value))).length;
    return shareText({ count, of, what: 'markets described' }, DESCRIBED_MIN, UPDATE);
  };
  return [
    { address: `${data}/v2/trades`, needsTrade: false, read: async () => pagesText(await head, examination) },
    { address: `${data}/v2/trades?user=`, needsTrade: true, read: () => historyText(askings) },
    { address: `${data}/v2/user-stats`, needsTrade: true, read: () => dateText(askings, joinDate) },
    { address: `${data}/v2/activity`, needsTrade: true, read: () => dateText(askings, firstActivity) },
    {
      address: `${data}/v2/resolutions`,
      needsTrade: true,
      read: async () => {
        const { size: count } = await askResolutions(client, marketIds, signal);
        return shareText({ count, of: marketIds.length, what: 'markets answered' }, DESCRIBED_MIN, UPDATE);
      },
    },
    { address: `${data}/v2/status`, needsTrade: false, read: () => statusText(examination) },
    {
      address: `${gamma}/markets/keyset?condition_ids=`,
      needsTrade: true,
      read: async () => described(await gammaMarkets(client, marketIds, signal), marketIds.length),
    },
    {
      address: `${gamma}/markets/keyset?clob_token_ids=`,
      needsTrade: true,
      read: async () => described(await gammaMarketsOfTokens(client, tokens, signal), tokens.length),
    },
    { address: `${gamma}/public-profile`, needsTrade: true, read: () => dateText(askings, profileDate) },
  ];
}

/** Reads the page after the newest too, and the newest one again: no cache may answer for it. */
async function pagesText({ page, readPage, badRows }: Head, { clock, signal }: Examination): Promise<string> {
  const options = { purpose: 'poll', signal } as const;
  if (page.fills.length === 0) throw new Misfit('no trades on the newest page. Wait, and try again.');
  if (page.next === null) throw new Misfit(`no page follows the newest one. ${UPDATE}`);
  const next = await readPage(page.next, options);
  if (!(oldestOf(next) < oldestOf(page)))
    throw new Misfit(`the page after the newest has no older trades. ${UPDATE}`);
  await clock.sleep(AGAIN_AFTER_MS, signal);
  const again = await readPage(NEWEST_PAGE, options);
  const cachedMs = Math.max(page.ageMs, again.ageMs);
  if (cachedMs > 0)
    throw new Misfit(
      `a cache answered, with what was ${secondsText(cachedMs)} old. ${USE_NODE} Look for a caching proxy in your network.`,
    );
  const newestAt = Math.max(...page.fills.map(({ trade }) => trade.at));
  const ageMs = Math.max(0, page.asOf - newestAt);
  if (ageMs > TRADE_AGE_MAX_MS)
    throw new Misfit(`the newest trade is ${secondsText(ageMs)} old. ${USE_NODE}`);
  const count = page.fills.length + next.fills.length + again.fills.length;
  const rows = shareText({ count, of: count + badRows(), what: 'rows read' }, READABLE_MIN, UPDATE);
  return `${rows}, the newest ${secondsText(ageMs)} old`;
}

/** Infinite for a page without trades. */
function oldestOf({ fills }: TradePage): EpochMs {
  return Math.min(...fills.map(({ trade }) => trade.at));
}

async function historyText([asking]: readonly Asking[]): Promise<string> {
  if (asking === undefined) throw new Misfit(`no wallet on the newest page. ${UPDATE}`);
  const history = new TradeHistory(asking);
  await history.firstTrade(1);
  return `a wallet’s trades before its last, in ${counted(history.marketsMet, 'market')}`;
}

/** The date of the first of these wallets that has one. */
async function dateText(
  askings: readonly Asking[],
  dateOf: (asking: Asking) => Promise<EpochMs | null>,
): Promise<string> {
  for (const asking of askings) {
    const date = await dateOf(asking);
    if (date !== null) return `a wallet dates from ${utcDay(date)}`;
  }
  throw new Misfit(
    `no date for ${counted(askings.length, 'wallet')} that just traded. Buys of wallets that no source can date make no alerts: update Tipoff.`,
  );
}

async function statusText({ client, signal }: Examination): Promise<string> {
  const { lagMs } = await askStatus(client, signal);
  return `the market says that it lags by ${secondsText(lagMs)}`;
}

function secondsText(ms: number): string {
  return `${(ms / SECOND_MS).toFixed(1)} s`;
}
