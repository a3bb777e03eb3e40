import {
  type Metrics,
  UPSTREAM_APIS,
  UPSTREAM_RESULTS,
  UPSTREAM_ROUTES,
  UPSTREAM_STREAMS,
} from '../../core/metrics.ts';
import { AGE_SOURCES } from '../../core/trades/source/wallet-ages.ts';
import { TRADE_SOURCES } from '../../core/trades/trade.ts';
import type { MetricFactory } from './metric-factory.ts';

const FACTS_ENDS = [...AGE_SOURCES, 'unsettled', 'failed', 'given_up'] as const;

export function feedMetrics(create: MetricFactory) {
  const known = 'Age of the moment up to which every trade is known.';
  const age = create.gauge('feed_confirmed_age_seconds', known);
  const blind = create.gauge('feed_blind', 'Whether the live feed is blind: 1 or 0.');
  const shown = 'Whether the live feed shows trades that nothing confirms: 1 or 0.';
  const unconfirmed = create.gauge('feed_unconfirmed', shown);
  const asked = 'Markets traded and looked up in the last hour that the market does not describe.';
  const paid = 'Resolved markets whose paid outcome is not known.';
  return {
    ...requestMetrics(create),
    feedConfirmed(ageMs, sight) {
      age(ageMs / 1_000);
      blind(Number(sight === 'blind'));
      unconfirmed(Number(sight === 'unconfirmed'));
    },
    ...sourceMetrics(create),
    factsAsked: create.counterBy('wallet_facts_total', 'Requests for facts about wallets.', {
      outcome: FACTS_ENDS,
    }),
    tradesWaiting: create.gauge('feed_trades_waiting', 'Trades that are waiting for facts.'),
    marketsUndescribed: create.gauge('feed_markets_undescribed', asked),
    marketsUnsettled: create.gauge('feed_markets_unsettled', paid),
  } satisfies Partial<Metrics>;
}

function sourceMetrics(create: MetricFactory) {
  const leads = 'Which source of trades leads: 1, the others 0.';
  const leader = create.gaugeOf('feed_leader', leads, ['source']);
  const listed = 'Trades that the market listed, new or already known.';
  const late = 'Trades that the list showed and a node at the head of the chain had not.';
  const removed = 'Trades that a reorganisation of the chain removed.';
  return {
    feedTrades: create.counterBy('feed_trades_total', listed, { kind: ['new', 'known'] }),
    feedLeader(leading) {
      for (const source of TRADE_SOURCES) leader.labels(source).set(Number(source === leading));
    },
    feedTradesLate: create.counter('feed_trades_late_total', late),
    feedTradesRemoved: create.counter('feed_trades_removed_total', removed),
  } satisfies Partial<Metrics>;
}

function requestMetrics(create: MetricFactory) {
  const answered = 'Requests to the market, by route and result.';
  const requests = create.counterOf('upstream_requests_total', answered, ['api', 'route', 'outcome']);
  const sent = 'Bytes of answers from the market as sent: compressed, without headers.';
  const received = create.counterOf('upstream_received_bytes_total', sent, ['api', 'route']);
  const cached = 'How long the last answer of a route had been in a cache.';
  const age = create.gaugeOf('upstream_age_seconds', cached, ['api', 'route']);
  const connected = 'Whether a stream of the market is open: 1 or 0.';
  const open = create.gaugeOf('upstream_stream_open', connected, ['stream']);
  for (const api of UPSTREAM_APIS)
    for (const route of [...UPSTREAM_ROUTES[api], 'other'])
      for (const outcome of UPSTREAM_RESULTS) requests.labels(api, route, outcome).inc(0);
  for (const stream of UPSTREAM_STREAMS) open.labels(stream).set(0);
  return {
    upstreamAnswered: ({ api, route }, outcome) => requests.labels(api, route, outcome).inc(),
    upstreamReceived: ({ api, route }, bytes) => received.labels(api, route).inc(bytes),
    upstreamAged: ({ api, route }, ageMs) => age.labels(api, route).set(ageMs / 1_000),
    upstreamStream: (stream, isOpen) => open.labels(stream).set(Number(isOpen)),
  } satisfies Partial<Metrics>;
}
