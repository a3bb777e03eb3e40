import type { AlertType } from '../alert.ts';
import type { ChatState } from '../chat/chat-message.ts';
import type { ProbeResult } from '../doctor/probe-result.ts';
import type { StreamEnd } from '../stream/close-codes.ts';
import type { TradeSource } from '../trade.ts';
import type { DeliveryState } from '../webhooks/delivery.ts';
import type { DropReason } from './source.ts';
import type { AgeSource } from './wallet-age-store.ts';

/** What the domain counts. The adapter names and exposes it (`tipoff_…`). */
export interface Metrics {
  rowDropped(reason: DropReason): void;
  tradesJudged(count: number): void;
  alertAppended(type: AlertType): void;
  marketResolved(): void;
  /** `length`: UTF-16 units of its chunks that were written. */
  snapshotWritten(durationMs: number, length: number): void;
  /** Entries left the detector's memory to make room. */
  detectorEvicted(kind: EvictedKind, count: number): void;
  /** Hours of observed markets: written, or left as they were stored, since less of them was remembered. */
  hoursObserved(outcome: 'written' | 'kept', count: number): void;
  /** Orders left the memory of observations before their time, to make room. */
  ordersForgotten(count: number): void;
  keyVerified(result: 'cached' | 'verified' | 'refused' | 'limited'): void;
  argon2Ran(): void;
  /** The market's API answered a request, or did not. */
  upstreamAnswered(request: UpstreamRequest, outcome: UpstreamOutcome): void;
  /** How long the answer had been in a cache, milliseconds. */
  upstreamAged(request: UpstreamRequest, ageMs: number): void;
  /** How far the market's clock is ahead of this host's, milliseconds. */
  upstreamSkew(ms: number): void;
  /** A connection to one of the market's streams was made, or ended. */
  upstreamStream(stream: UpstreamStream, isOpen: boolean): void;
  /** How old the last moment is up to which every trade is known, milliseconds; and what the feed sees. */
  feedConfirmed(ageMs: number, sight: FeedVisibility): void;
  /** Trades offered by the feed's parts: new ones, and those that were known. */
  feedTrades(kind: 'new' | 'known', count: number): void;
  /** Which source of trades leads. */
  feedLeader(source: TradeSource): void;
  /** Trades handed on from another source, because the leader had not shown them. */
  feedTradesLate(source: TradeSource, count: number): void;
  /** Trades that a reorganisation of the chain removed. */
  feedTradesRemoved(count: number): void;
  /** Trades that the stream showed: polling confirmed them, or did not within its time. */
  unlistedTradeEnded(end: 'confirmed' | 'unconfirmed'): void;
  /** A wallet's facts were asked for; settled ones name where the age was read. `given_up`: its trades go on without. */
  factsAsked(outcome: AgeSource | 'unsettled' | 'failed' | 'given_up'): void;
  /** Trades that wait for facts now. */
  tradesWaiting(count: number): void;
  /** What the doctor found; it replaces what it found before. */
  doctorReported(results: readonly ProbeResult[]): void;
  /** Markets traded and asked for in the last hour that the market does not describe. */
  marketsUndescribed(count: number): void;
  /** Resolved markets of which it is not known which outcome was paid. */
  marketsUnsettled(count: number): void;
  /** A webhook delivery ended, by an attempt or without one. */
  deliveryEnded(state: Exclude<DeliveryState, 'pending' | 'claimed'>): void;
  /** One attempt, from its beginning to its end. */
  deliveryAttempted(durationMs: number): void;
  /** Deliveries this process holds that wait for their turn. */
  deliveriesWaiting(count: number): void;
  /** A chat message was sent, or is not to be. */
  chatMessageEnded(state: Exclude<ChatState, 'pending' | 'sending' | 'withdrawn'>): void;
  /** A run of a job of `JOB_NAMES` ended. */
  jobRan(job: string, outcome: 'done' | 'failed'): void;
  /** A socket was greeted; each is ended once. */
  streamOpened(): void;
  streamEnded(end: StreamEnd): void;
  /** Alerts sent, counted once for each socket. */
  streamSent(frames: number): void;
}

/** `unconfirmed`: trades are shown by a source that vouches for nothing. */
export type FeedVisibility = 'seen' | 'unconfirmed' | 'blind';

/** What leaves the detector's memory; `wallet_with_position`: a wallet that holds a position of 250 USDC or more. */
export const EVICTED_KINDS = [
  'wallet',
  'wallet_with_position',
  'retired_wallet',
  'market',
  'cluster',
  'fill',
] as const;
export type EvictedKind = (typeof EVICTED_KINDS)[number];

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
