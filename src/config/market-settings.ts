import { z } from 'zod';
import { address, whole } from './setting-types.ts';

/** The settings of the live market. */
export const MARKET_SETTINGS = {
  POLYMARKET_DATA_URL: address(/^https?:$/, 'https://data-api.polymarket.com')
    .default('https://data-api.polymarket.com')
    .describe('The market’s Data API: trades and wallets.'),
  POLYMARKET_GAMMA_URL: address(/^https?:$/, 'https://gamma-api.polymarket.com')
    .default('https://gamma-api.polymarket.com')
    .describe('The market’s Gamma API: markets and profiles.'),
  POLYMARKET_STREAM_URL: address(/^wss?:$/, 'wss://ws-live-data.polymarket.com')
    .default('wss://ws-live-data.polymarket.com')
    .describe('The market’s live stream of trades (RTDS); without it alerts come some seconds later.'),
  POLYMARKET_CLOB_URL: address(/^wss?:$/, 'wss://ws-subscriptions-clob.polymarket.com')
    .default('wss://ws-subscriptions-clob.polymarket.com')
    .describe('The market’s order book stream, which tells early that a market is resolved.'),
  POLYGON_RPC_URL: address(/^(https?|wss?):$/, 'wss://polygon-bor-rpc.publicnode.com')
    .nullable()
    .default(null)
    .describe(
      'A node of the Polygon chain (http, https, ws or wss), which shows every trade about two seconds after it was made; without it trades come from the market’s own interfaces. Only its host is logged.',
    ),
  JOURNAL_HOURS: whole(1, 87_600)
    .default(24)
    .describe(
      'How long what the market handed over is kept for `tipoff record`; about 22 MB an hour at 38 trades a second, 0.5 GB in all.',
    ),
};

const settings = z.object(MARKET_SETTINGS);

/** How the live market is reached. Addresses have no slash at their end. */
export interface MarketConfig {
  readonly dataUrl: string;
  readonly gammaUrl: string;
  readonly streamUrl: string;
  readonly clobUrl: string;
  /** Null: no node is asked. A secret: its path may hold a key. */
  readonly rpcUrl: string | null;
  readonly journalMs: number;
}

export function toMarketConfig(values: z.infer<typeof settings>): MarketConfig {
  return {
    dataUrl: values.POLYMARKET_DATA_URL,
    gammaUrl: values.POLYMARKET_GAMMA_URL,
    streamUrl: values.POLYMARKET_STREAM_URL,
    clobUrl: values.POLYMARKET_CLOB_URL,
    rpcUrl: values.POLYGON_RPC_URL,
    journalMs: values.JOURNAL_HOURS * 3_600_000,
  };
}
