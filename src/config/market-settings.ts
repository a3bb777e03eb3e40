import { HOUR_MS } from '../core/base/time/duration.ts';
import { foreignAddress, setting } from './setting.ts';
import { address, addressOrOff, contractAddresses, httpAddress, whole } from './setting-types.ts';

const PUBLIC_NODE = 'wss://polygon-bor-rpc.publicnode.com';

export const MARKET_SETTINGS = {
  /** The Data API: trades and wallets. */
  dataUrl: foreignAddress(
    'POLYMARKET_DATA_URL',
    httpAddress('https://data-api.polymarket.com'),
    'https://data-api.polymarket.com',
  ),
  /** The Gamma API: markets and profiles. */
  gammaUrl: foreignAddress(
    'POLYMARKET_GAMMA_URL',
    httpAddress('https://gamma-api.polymarket.com'),
    'https://gamma-api.polymarket.com',
  ),
  /** The live stream of trades (RTDS). It only tells when to read the list of trades. */
  streamUrl: foreignAddress(
    'POLYMARKET_STREAM_URL',
    address(/^wss?:$/, 'wss://ws-live-data.polymarket.com'),
    'wss://ws-live-data.polymarket.com',
  ),
  /** The order book stream, which reports resolutions early. */
  clobUrl: foreignAddress(
    'POLYMARKET_CLOB_URL',
    address(/^wss?:$/, 'wss://ws-subscriptions-clob.polymarket.com'),
    'wss://ws-subscriptions-clob.polymarket.com',
  ),
  /** A secret: its path may hold a key. Null: no node. */
  rpcUrl: setting(
    'POLYGON_RPC_URL',
    addressOrOff(/^(https?|wss?):$/, PUBLIC_NODE),
    PUBLIC_NODE,
    'A node of the Polygon chain (http, https, ws or wss), which shows every trade about two seconds after it was made; by default a public one. `off`: no node, and alerts come about six seconds later, from the market’s list. Only its host is logged.',
  ),
  extraExchanges: setting(
    'POLYMARKET_EXTRA_EXCHANGES',
    contractAddresses(),
    '',
    'Addresses of further exchanges of the market on Polygon, separated by commas. The trades of a node come from the known exchanges and these.',
  ),
  journalMs: setting(
    'JOURNAL_HOURS',
    whole(1, 87_600).transform((hours) => hours * HOUR_MS),
    '24',
    'How long the rows of the market are kept for `tipoff capture`; about 22 MB per hour at 38 trades per second, 0.5 GB in all.',
  ),
};
