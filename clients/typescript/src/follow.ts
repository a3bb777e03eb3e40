import { Backoff } from './backoff.ts';
import { Connection, type Frame, type WebSocketClass } from './connection.ts';
import { EventSequence, type Exit, type Outcome } from './numbered-events.ts';
import type { Schemas } from './operations.ts';
import { isFinal, Patience, waitOf, wordsOf } from './patience.ts';
import type { Service } from './request.ts';
import { streamEndOf } from './stream-end.ts';
import { alertsBetween, type StreamFilters } from './stream-filters.ts';

export type Alert = Schemas['Alert'];

/** What `follow` yields with `outcomes: true` or `exits: true`. */
export type StreamEvent =
  | { readonly type: 'alert'; readonly data: Alert }
  | { readonly type: 'outcome'; readonly data: Outcome }
  | { readonly type: 'exit'; readonly data: Exit };

export type StreamStatus =
  | { readonly state: 'connecting'; readonly sinceId: number | null }
  | { readonly state: 'connected'; readonly tier: string }
  /** More than 10,000 alerts were missed: these are read from the archive first. */
  | { readonly state: 'filling'; readonly from: number; readonly to: number }
  | { readonly state: 'waiting'; readonly ms: number; readonly reason: string }
  /** The feed of the service is `degraded` or has `recovered`; the fields are those of the frame. */
  | { readonly state: 'feed'; readonly notice: Frame };

export interface FollowOptions {
  /** The last alert id that you have: the alerts after it come first. Without it: the alerts from now on. */
  readonly sinceId?: number;
  /** They apply to alerts. */
  readonly filters?: StreamFilters;
  /**
   * Also yields every outcome and correction, once, in the order of numbers. With filters, those of markets without an
   * alert that passes come with the next one that has, or after a reconnect.
   */
  readonly outcomes?: boolean;
  /** The last number that you have. Without it: the outcomes from now on. */
  readonly sinceOutcome?: number;
  /** Also yields every exit, in the same way: positions that were sold on the market before the end. */
  readonly exits?: boolean;
  /** The last number that you have. Without it: the exits from now on. */
  readonly sinceExit?: number;
  /** Ends the iteration and closes the socket. */
  readonly signal?: AbortSignal;
  /** Reports connections, pauses and the state of the feed. */
  readonly onStatus?: (status: StreamStatus) => void;
}

/** What `follow` needs besides a service. */
export interface Follower {
  readonly service: Service;
  readonly webSocket: () => Promise<WebSocketClass>;
}

const NEVER = new AbortController().signal;

/** The alerts, or with `outcomes: true` or `exits: true` the events. */
export async function* follow(
  follower: Follower,
  options: FollowOptions,
): AsyncGenerator<Alert | StreamEvent, void, undefined> {
  const { sinceId = 0, sinceOutcome = 0, sinceExit = 0, signal = NEVER } = options;
  const hasEvents = options.outcomes === true || options.exits === true;
  for (const given of [sinceId, sinceOutcome, sinceExit])
    if (!Number.isSafeInteger(given) || given < 0) throw new RangeError(`${given} is no id`);
  try {
    for await (const event of new Following(follower, options, signal).events())
      yield hasEvents ? event : (event.data as Alert);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

class Following {
  readonly #service: Service;
  readonly #webSocket: Follower['webSocket'];
  readonly #filters: StreamFilters;
  readonly #signal: AbortSignal;
  readonly #report: (status: StreamStatus) => void;
  readonly #patience: Patience;
  /** Null if they are not wanted. */
  readonly #outcomes: EventSequence<Outcome> | null;
  readonly #exits: EventSequence<Exit> | null;
  readonly #backoff = new Backoff();
  /** Where the next connection begins. */
  #lastId: number | null;
  /** The newest alert of this run. A `sinceId` that does not exist yet must not hide what comes. */
  #seen = 0;
  #tier: string | null = null;

  constructor(follower: Follower, options: FollowOptions, signal: AbortSignal) {
    const { sinceId = null, filters = {} } = options;
    const report = options.onStatus ?? (() => {});
    const onPause = (ms: number, reason: string) => report({ state: 'waiting', ms, reason });
    this.#service = follower.service;
    this.#webSocket = follower.webSocket;
    this.#filters = filters;
    this.#signal = signal;
    this.#report = report;
    this.#patience = new Patience(follower.service, signal, onPause);
    const shared = { patience: this.#patience, signal };
    const { outcomes, sinceOutcome, exits, sinceExit } = options;
    this.#outcomes = outcomes
      ? new EventSequence({ list: 'outcomes', last: sinceOutcome ?? null, ...shared })
      : null;
    this.#exits = exits ? new EventSequence({ list: 'exits', last: sinceExit ?? null, ...shared }) : null;
    this.#lastId = sinceId;
  }

  async *events(): AsyncGenerator<StreamEvent, void, undefined> {
    const WebSocket = await this.#webSocket();
    this.#lastId ??= await this.#newestId();
    await this.#outcomes?.begin();
    await this.#exits?.begin();
    while (!this.#signal.aborted) {
      this.#report({ state: 'connecting', sinceId: this.#lastId });
      const connection = new Connection(WebSocket, this.#address());
      const abort = () => connection.abort();
      this.#signal.addEventListener('abort', abort);
      if (this.#signal.aborted) abort();
      try {
        for await (const frame of connection.frames()) yield* this.#take(frame);
      } finally {
        this.#signal.removeEventListener('abort', abort);
        connection.close('stopped');
      }
      if (!this.#signal.aborted) await this.#afterEnd(connection);
    }
  }

  async *#take(frame: Frame): AsyncGenerator<StreamEvent, void, undefined> {
    const { type } = frame;
    if (type === 'connected') {
      this.#tier = String(frame['tier']);
      this.#backoff.reset();
      this.#report({ state: 'connected', tier: this.#tier });
      if (this.#outcomes !== null)
        for await (const data of this.#outcomes.missed()) yield { type: 'outcome', data };
      if (this.#exits !== null) for await (const data of this.#exits.missed()) yield { type: 'exit', data };
    } else if (type === 'alert') {
      const alert = frame['data'] as Alert;
      if (alert.id > this.#seen) yield this.#passed(alert);
    } else if (type === 'outcome' && this.#outcomes !== null) {
      for await (const data of this.#outcomes.upTo(frame['data'] as Outcome)) yield { type, data };
    } else if (type === 'exit' && this.#exits !== null) {
      for await (const data of this.#exits.upTo(frame['data'] as Exit)) yield { type, data };
    } else if (type === 'gap') {
      yield* this.#fill(Number(frame['from']), Number(frame['to']));
    } else if (type === 'degraded' || type === 'recovered') {
      this.#report({ state: 'feed', notice: frame });
    }
  }

  #passed(alert: Alert): StreamEvent {
    this.#seen = alert.id;
    this.#lastId = alert.id;
    return { type: 'alert', data: alert };
  }

  /** The alerts that the stream has left out, from the archive, oldest first. */
  async *#fill(from: number, to: number): AsyncGenerator<StreamEvent, void, undefined> {
    this.#report({ state: 'filling', from, to });
    for (let after = from - 1; after < to; ) {
      const page = await alertsBetween(this.#patience, { after, to, filters: this.#filters });
      for (const alert of page.alerts) {
        if (this.#signal.aborted) return;
        if (alert.id > this.#seen) yield this.#passed(alert);
      }
      after = page.end;
    }
    this.#seen = Math.max(this.#seen, to);
    this.#lastId = Math.max(this.#lastId ?? 0, to);
  }

  /** Waits before the next connection; throws if there must be none. */
  async #afterEnd({ ending, wasConnected }: Connection): Promise<void> {
    const { code, reason, detail } = ending ?? { code: 1006, reason: 'lost', detail: '' };
    const end = streamEndOf(code, this.#tier, detail);
    if (end !== null) throw end;
    if (wasConnected) return this.#patience.pause(this.#backoff.next(), reason);
    // Programs are not shown why a handshake was refused: REST answers the same key with the reason.
    const refusal = await this.#patience.get('/api/v1/me').then(
      () => null,
      (error: unknown) => error,
    );
    if (refusal !== null && isFinal(refusal)) throw refusal;
    const words = refusal === null ? 'handshake refused, perhaps for too many sockets' : wordsOf(refusal);
    const ms = Math.max(this.#backoff.next(), waitOf(refusal));
    await this.#patience.pause(ms, code === 1006 ? words : reason);
  }

  async #newestId(): Promise<number> {
    const latest = await this.#patience.getUntilAnswered('/api/v1/alerts/latest', { limit: 1 });
    return (latest as Alert[])[0]?.id ?? 0;
  }

  #address(): string {
    const { url, apiKey } = this.#service;
    const address = new URL('/ws/alerts', url);
    address.protocol = address.protocol.replace(/^http/, 'ws');
    const events = { outcomes: this.#outcomes && true, exits: this.#exits && true };
    const query = { api_key: apiKey, since_id: this.#lastId, ...this.#filters, ...events };
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) address.searchParams.set(name, String(value));
    }
    return address.href;
  }
}
