import type { ChatMetrics } from '../chat/chat-metrics.ts';
import type { DoctorMetrics } from '../doctor/doctor-metrics.ts';
import type { FeedHealthMetrics } from '../feed-health/feed-health-metrics.ts';
import type { IngestMetrics } from '../ingest/ingest-metrics.ts';
import type { KeyMetrics } from '../keys/key-metrics.ts';
import type { StreamMetrics } from '../stream/stream-metrics.ts';
import type { TradeSource } from '../trade.ts';
import type { DeliveryMetrics } from '../webhooks/delivery-metrics.ts';

/** What the domain counts. The adapter names and exposes it (`tipoff_…`). */
export interface Metrics
  extends IngestMetrics,
    KeyMetrics,
    FeedHealthMetrics,
    ChatMetrics,
    DoctorMetrics,
    DeliveryMetrics,
    StreamMetrics {
  /** The market's API answered a request, or did not. */
  upstreamAnswered(request: UpstreamRequest, outcome: UpstreamOutcome): void;
  /** How long the answer had been in a cache, milliseconds. */
  upstreamAged(request: UpstreamRequest, ageMs: number): void;
  /** How far the market's clock is ahead of this host's, milliseconds. */
  upstreamSkew(ms: number): void;
  /** A connection to one of the market's streams was made, or ended. */
  upstreamStream(stream: UpstreamStream, isOpen: boolean): void;
  /** Which source of trades leads. */
  feedLeader(source: TradeSource): void;
  /** Trades handed on from another source, because the leader had not shown them. */
  feedTradesLate(source: TradeSource, count: number): void;
  /** Trades that a reorganisation of the chain removed. */
  feedTradesRemoved(count: number): void;
  /** Trades that the stream showed: polling confirmed them, or did not within its time. */
  unlistedTradeEnded(end: 'confirmed' | 'unconfirmed'): void;
  /** Markets traded and asked for in the last hour that the market does not describe. */
  marketsUndescribed(count: number): void;
  /** Resolved markets of which it is not known which outcome was paid. */
  marketsUnsettled(count: number): void;
  /** A run of a job of `JOB_NAMES` ended. */
  jobRan(job: string, outcome: 'done' | 'failed'): void;
}

/** The market's REST APIs. */
export const UPSTREAM_APIS = ['data', 'gamma'] as const;
export type UpstreamApi = (typeof UPSTREAM_APIS)[number];
/** One of a bounded number of routes, by its path or `other`. */
export interface UpstreamRequest {
  readonly api: UpstreamApi;
  readonly route: string;
}
/** The market's streams, and the node of the chain. */
export const UPSTREAM_STREAMS = ['trades', 'resolutions', 'node'] as const;
export type UpstreamStream = (typeof UPSTREAM_STREAMS)[number];
/** `limited`: 429. `refused`: another error status. `garbled`: an answer that is not what is documented. */
export const UPSTREAM_OUTCOMES = ['ok', 'limited', 'refused', 'timeout', 'unreachable', 'garbled'] as const;
export type UpstreamOutcome = (typeof UPSTREAM_OUTCOMES)[number];
