import { Counter, Gauge, type Registry } from 'prom-client';
import {
  type Metrics,
  UPSTREAM_APIS,
  UPSTREAM_OUTCOMES,
  UPSTREAM_STREAMS,
  type UpstreamStream,
} from '../core/metrics/metrics.ts';
import { AGE_SOURCES } from '../core/source/wallet-age-store.ts';
import { TRADE_SOURCES } from '../core/trade.ts';
import { labelled } from './labelled-counter.ts';
import { UPSTREAM_ROUTES } from './polymarket/client/market-client.ts';

type FeedMetrics = Pick<
  Metrics,
  | 'upstreamAnswered'
  | 'upstreamAged'
  | 'upstreamSkew'
  | 'upstreamStream'
  | 'feedConfirmed'
  | 'feedTrades'
  | 'feedLeader'
  | 'feedTradesLate'
  | 'feedTradesRemoved'
  | 'unlistedTradeEnded'
  | 'factsAsked'
  | 'tradesWaiting'
  | 'marketsUndescribed'
  | 'marketsUnsettled'
>;

/** Metrics of the live market. */
export function feedMetrics(registry: Registry): FeedMetrics {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const age = gauge(
    'tipoff_feed_confirmed_age_seconds',
    'Age of the moment up to which every trade is known.',
  );
  const blind = gauge('tipoff_feed_blind', 'Whether the live feed is blind: 1 or 0.');
  const unconfirmed = gauge(
    'tipoff_feed_unconfirmed',
    'Whether the live feed shows trades that nothing confirms: 1 or 0.',
  );
  const skew = gauge(
    'tipoff_upstream_clock_skew_seconds',
    "How far the market's clock is ahead of this host's, by the Date of its answers.",
  );
  const waiting = gauge('tipoff_feed_trades_waiting', 'Trades that wait for facts.');
  return {
    ...requestMetrics(registry),
    upstreamSkew: (ms) => skew.set(ms / 1_000),
    upstreamStream: streamGauge(registry),
    feedConfirmed(ageMs, sight) {
      age.set(ageMs / 1_000);
      blind.set(Number(sight === 'blind'));
      unconfirmed.set(Number(sight === 'unconfirmed'));
    },
    ...sourceMetrics(registry),
    unlistedTradeEnded: labelled(
      registry,
      'feed_sightings_total',
      'Trades the stream showed, by whether polling confirmed them.',
      'end',
      ['confirmed', 'unconfirmed'],
    ),
    factsAsked: labelled(registry, 'wallet_facts_total', 'Questions about wallets.', 'outcome', [
      ...AGE_SOURCES,
      'unsettled',
      'failed',
      'given_up',
    ]),
    tradesWaiting: (count) => waiting.set(count),
    ...marketMetrics(gauge),
  };
}

function marketMetrics(
  gauge: (name: string, help: string) => Gauge,
): Pick<Metrics, 'marketsUndescribed' | 'marketsUnsettled'> {
  const undescribed = gauge(
    'tipoff_feed_markets_undescribed',
    'Markets traded and asked for in the last hour that the market does not describe.',
  );
  const unsettled = gauge(
    'tipoff_feed_markets_unsettled',
    'Resolved markets of which it is not known which outcome was paid.',
  );
  return {
    marketsUndescribed: (count) => undescribed.set(count),
    marketsUnsettled: (count) => unsettled.set(count),
  };
}

/** By source of trades. */
function sourceMetrics(
  registry: Registry,
): Pick<Metrics, 'feedTrades' | 'feedLeader' | 'feedTradesLate' | 'feedTradesRemoved'> {
  const of = { labelNames: ['source'] as const, registers: [registry] };
  const leader = new Gauge({
    name: 'tipoff_feed_leader',
    help: 'Which source of trades leads: 1, the others 0.',
    ...of,
  });
  const trades = new Counter({
    name: 'tipoff_feed_trades_total',
    help: 'Trades that the market listed: new ones, and those that were known.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const late = new Counter({
    name: 'tipoff_feed_trades_late_total',
    help: 'Trades taken from another source, because the leader had not shown them within 12 s.',
    ...of,
  });
  const removed = new Counter({
    name: 'tipoff_feed_trades_removed_total',
    help: 'Trades that a reorganisation of the chain removed.',
    registers: [registry],
  });
  for (const kind of ['new', 'known']) trades.labels(kind).inc(0);
  for (const source of TRADE_SOURCES) late.labels(source).inc(0);
  return {
    feedTrades: (kind, count) => trades.labels(kind).inc(count),
    feedLeader(leading) {
      for (const source of TRADE_SOURCES) leader.labels(source).set(Number(source === leading));
    },
    feedTradesLate: (source, count) => late.labels(source).inc(count),
    feedTradesRemoved: (count) => removed.inc(count),
  };
}

function requestMetrics(registry: Registry): Pick<FeedMetrics, 'upstreamAnswered' | 'upstreamAged'> {
  const requests = new Counter({
    name: 'tipoff_upstream_requests_total',
    help: 'Requests to the market, by route and how they ended.',
    labelNames: ['api', 'route', 'outcome'],
    registers: [registry],
  });
  const age = new Gauge({
    name: 'tipoff_upstream_age_seconds',
    help: 'How long the last answer of a route had been in a cache.',
    labelNames: ['api', 'route'],
    registers: [registry],
  });
  for (const api of UPSTREAM_APIS)
    for (const route of [...UPSTREAM_ROUTES[api], 'other'])
      for (const outcome of UPSTREAM_OUTCOMES) requests.labels(api, route, outcome).inc(0);
  return {
    upstreamAnswered: ({ api, route }, outcome) => requests.labels(api, route, outcome).inc(),
    upstreamAged: ({ api, route }, ageMs) => age.labels(api, route).set(ageMs / 1_000),
  };
}

function streamGauge(registry: Registry): (stream: UpstreamStream, isOpen: boolean) => void {
  const open = new Gauge({
    name: 'tipoff_upstream_stream_open',
    help: 'Whether a stream of the market is open: 1 or 0.',
    labelNames: ['stream'],
    registers: [registry],
  });
  for (const stream of UPSTREAM_STREAMS) open.labels(stream).set(0);
  return (stream, isOpen) => open.labels(stream).set(Number(isOpen));
}
