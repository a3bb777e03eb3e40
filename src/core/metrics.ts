import type { ChatMetrics } from './chat/chat-store.ts';
import type { StreamMetrics } from './delivery/stream/stream-client.ts';
import type { DeliveryMetrics } from './delivery/webhooks/delivery-engine-options.ts';
import type { IngestMetrics } from './ingest/ingest-deps.ts';
import type { CoverageMetrics } from './trades/coverage/blind-window.ts';
import type { TradeSource } from './trades/trade.ts';

/** Metrics of the domain. The adapter names and exposes them (`tipoff_…`). */
export interface Metrics extends IngestMetrics, CoverageMetrics, ChatMetrics, DeliveryMetrics, StreamMetrics {
  upstreamAnswered(request: UpstreamRequest, outcome: UpstreamResult): void;
  /** Length of an answer's body as it was sent, compressed. */
  upstreamReceived(request: UpstreamRequest, bytes: number): void;
  /** Cache age of an answer, milliseconds. */
  upstreamAged(request: UpstreamRequest, ageMs: number): void;
  upstreamStream(stream: UpstreamStream, isOpen: boolean): void;
  feedLeader(source: TradeSource): void;
  /** Trades that the list showed and a node at the head of the chain had not. */
  feedTradesLate(count: number): void;
  /** Trades that a reorganisation of the chain removed. */
  feedTradesRemoved(count: number): void;
  /** Markets traded in the last hour for which the market has no description. */
  marketsUndescribed(count: number): void;
  /** Resolved markets whose paid outcome is unknown. */
  marketsUnsettled(count: number): void;
  jobRan(job: string, outcome: 'done' | 'failed'): void;
}

/** REST APIs of the market. */
export const UPSTREAM_APIS = ['data', 'gamma'] as const;
export type UpstreamApi = (typeof UPSTREAM_APIS)[number];
/** The requested routes, as metrics name them. */
export const UPSTREAM_ROUTES: Readonly<Record<UpstreamApi, readonly string[]>> = {
  data: ['/v2/trades', '/v2/status', '/v2/user-stats', '/v2/activity', '/v2/resolutions'],
  gamma: ['/markets/keyset', '/public-profile'],
};
/** A route: one of a bounded number of paths, or `other`. */
export interface UpstreamRequest {
  readonly api: UpstreamApi;
  readonly route: string;
}
/** Streams of the market, and the node of the chain. */
export const UPSTREAM_STREAMS = ['trades', 'resolutions', 'node'] as const;
export type UpstreamStream = (typeof UPSTREAM_STREAMS)[number];
/** `limited`: 429. `refused`: another error status. `garbled`: an answer that differs from the documentation. */
export const UPSTREAM_RESULTS = ['ok', 'limited', 'refused', 'timeout', 'unreachable', 'garbled'] as const;
export type UpstreamResult = (typeof UPSTREAM_RESULTS)[number];
