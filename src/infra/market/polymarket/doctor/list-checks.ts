import { counted, utcDay } from '../../../../core/base/text/formats.ts';
import { type EpochMs, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { noLogger } from '../../../telemetry/no-logger.ts';
import { isConditionId } from '../../tapes/text-fields.ts';
import { gammaMarkets, gammaMarketsOfTokens } from '../markets/gamma-markets.ts';
import { marketLine } from '../markets/market-line.ts';
import { askResolutions } from '../resolutions/resolution-answers.ts';
import { askStatus } from '../trades/feed-silence.ts';
import { createTradePages, NEWEST_PAGE, type TradePage } from '../trades/trade-pages.ts';
import { firstActivity, joinDate, profileDate } from '../wallets/account-age.ts';
import { type Asking, TradeHistory } from '../wallets/trade-history.ts';
import { type Check, type Examination, Misfit, UPDATE } from './check.ts';

/** Wallets, markets and tokens that were just traded. */
export interface Sample {
  readonly askings: readonly [Asking, ...Asking[]];
  readonly marketIds: readonly string[];
  readonly tokens: readonly string[];
}

const SAMPLE_MAX = 20;
/** Many wallets have no profile, and some no date. */
const WALLETS_MAX = 5;

/** The newest page of trades. */
export function readHead({ client, clock, signal }: Examination): Promise<TradePage> {
  const readPage = createTradePages({ client, clock, logger: noLogger, onDrop() {}, onPage() {} });
  return readPage(NEWEST_PAGE, { purpose: 'poll', signal });
}

/** Rejects when there is no trade to ask for: the check of the newest page says why. */
export async function sampleOf({ client, signal }: Examination, head: Promise<TradePage>): Promise<Sample> {
  const trades = await head.then(
    ({ fills }) => fills.map(({ trade }) => trade),
    () => [],
  );
  const byWallet = new Map(trades.map((trade) => [trade.wallet, trade]));
  const askings = [...byWallet.values()]
    .slice(0, WALLETS_MAX)
    .map(({ wallet, at }) => ({ client, wallet, before: at, signal }));
  const [asking, ...others] = askings;
  if (asking === undefined) throw new Misfit('not asked, since /v2/trades gave no trade to ask for.');
  const first = (ids: readonly string[]) => [...new Set(ids)].slice(0, SAMPLE_MAX);
  return {
    askings: [asking, ...others],
    marketIds: first(trades.map(({ marketId }) => marketId).filter(isConditionId)),
    tokens: first(trades.map(({ asset }) => asset)),
  };
}

export function listChecks(
  { client, market, signal }: Examination,
  head: Promise<TradePage>,
  sample: Promise<Sample>,
): readonly Check[] {
  const data = new URL(market.dataUrl).host;
  const gamma = new URL(market.gammaUrl).host;
  const dateText = async (dateOf: (asking: Asking) => Promise<EpochMs | null>) =>
    firstDateText((await sample).askings, dateOf);
  return [
    { address: `${data}/v2/trades`, read: async () => pageText(await head) },
    { address: `${data}/v2/trades?user=`, read: async () => historyText((await sample).askings[0]) },
    { address: `${data}/v2/user-stats`, read: () => dateText(joinDate) },
    { address: `${data}/v2/activity`, read: () => dateText(firstActivity) },
    {
      address: `${data}/v2/resolutions`,
      read: async () => marketsText((await askResolutions(client, (await sample).marketIds, signal)).size),
    },
    {
      address: `${data}/v2/status`,
      read: async () => `its lists lag by ${secondsText((await askStatus(client, signal)).lagMs)}`,
    },
    {
      address: `${gamma}/markets/keyset?condition_ids=`,
      read: async () => describedText(await gammaMarkets(client, (await sample).marketIds, signal)),
    },
    {
      address: `${gamma}/markets/keyset?clob_token_ids=`,
      read: async () => describedText(await gammaMarketsOfTokens(client, (await sample).tokens, signal)),
    },
    { address: `${gamma}/public-profile`, read: () => dateText(profileDate) },
  ];
}

function pageText({ fills, next, asOf }: TradePage): string {
  if (fills.length === 0) throw new Misfit('no trades on the newest page. Wait, and try again.');
  if (next === null) throw new Misfit(`no page follows the newest one. ${UPDATE}`);
  const ageMs = Math.max(0, asOf - Math.max(...fills.map(({ trade }) => trade.at)));
  return `${counted(fills.length, 'trade')}, the newest ${secondsText(ageMs)} old`;
}

function describedText(markets: ReadonlyMap<string, unknown>): string {
  return marketsText([...markets.values()].filter((value) => !('kind' in marketLine(value))).length);
}

function marketsText(count: number): string {
  if (count === 0) throw new Misfit(`knows no market that was just traded. ${UPDATE}`);
  return `knows ${counted(count, 'market')} that were just traded`;
}

async function historyText(asking: Asking): Promise<string> {
  const history = new TradeHistory(asking);
  await history.firstTrade(1);
  return `a wallet’s trades before its last, in ${counted(history.marketsMet, 'market')}`;
}

/** The date of the first of these wallets that has one. */
async function firstDateText(
  askings: readonly Asking[],
  dateOf: (asking: Asking) => Promise<EpochMs | null>,
): Promise<string> {
  for (const asking of askings) {
    const date = await dateOf(asking);
    if (date !== null) return `a wallet dates from ${utcDay(date)}`;
  }
  throw new Misfit(`no date for ${counted(askings.length, 'wallet')} that just traded. ${UPDATE}`);
}

function secondsText(ms: number): string {
  return `${(ms / SECOND_MS).toFixed(1)} s`;
}
