import { Backoff } from './backoff.ts';
import { Connection, type Frame, type WebSocketClass } from './connection.ts';
import { TipoffError } from './errors.ts';
import type { Schemas } from './operations.ts';
import { request, type Service } from './request.ts';
import { streamEndOf } from './stream-end.ts';
import { alertsBetween, matches, type StreamFilters } from './stream-filters.ts';

export type Alert = Schemas['Alert'];

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
  readonly filters?: StreamFilters;
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

/**
 * Every alert from `sinceId` on, once, in the order of ids, through lost connections and restarts of the server. The
 * iteration ends when `signal` is aborted. It throws `StreamEndedError` when the server has ended the stream, and
 * `TipoffError` when it refuses the key (401) or a filter (422).
 */
export async function* follow(
  follower: Follower,
  options: FollowOptions,
): AsyncGenerator<Alert, void, undefined> {
  const { sinceId = 0, signal = NEVER } = options;
  if (!Number.isSafeInteger(sinceId) || sinceId < 0) throw new RangeError(`${sinceId} is no id of an alert`);
  try {
    yield* new Following(follower, options, signal).alerts();
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
  readonly #backoff = new Backoff();
  /** Where the next connection begins. */
  #lastId: number | null;
  /** The newest alert of this run. A `sinceId` that does not exist yet must not hide what comes. */
  #seen = 0;
  #tier: string | null = null;

  constructor(follower: Follower, { sinceId, filters = {}, onStatus }: FollowOptions, signal: AbortSignal) {
    this.#service = { ...follower.service, retries: 0 };
    this.#webSocket = follower.webSocket;
    this.#filters = filters;
    this.#signal = signal;
    this.#report = onStatus ?? (() => {});
    this.#lastId = sinceId ?? null;
  }

  async *alerts(): AsyncGenerator<Alert, void, undefined> {
    const WebSocket = await this.#webSocket();
    this.#lastId ??= await this.#newestId();
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

  async *#take(frame: Frame): AsyncGenerator<Alert, void, undefined> {
    const { type } = frame;
    if (type === 'connected') {
      this.#tier = String(frame['tier']);
      this.#backoff.reset();
      this.#report({ state: 'connected', tier: this.#tier });
    } else if (type === 'alert') {
      const alert = frame['data'] as Alert;
      if (alert.id > this.#seen) yield this.#passed(alert);
    } else if (type === 'gap') {
      yield* this.#fill(Number(frame['from']), Number(frame['to']));
    } else if (type === 'degraded' || type === 'recovered') {
      this.#report({ state: 'feed', notice: frame });
    }
  }

  #passed(alert: Alert): Alert {
    this.#seen = alert.id;
    this.#lastId = alert.id;
    return alert;
  }

  /** The alerts that the stream has left out, from the archive, oldest first. */
  async *#fill(from: number, to: number): AsyncGenerator<Alert, void, undefined> {
    this.#report({ state: 'filling', from, to });
    for (let after = from - 1; after < to; ) {
      const page = await this.#untilAnswered(() =>
        alertsBetween(this.#service, { after, to, filters: this.#filters, signal: this.#signal }),
      );
      for (const alert of page.alerts) {
        if (this.#signal.aborted) return;
        if (alert.id > this.#seen && matches(alert, this.#filters)) yield this.#passed(alert);
      }
      after = page.end;
    }
    this.#seen = Math.max(this.#seen, to);
    this.#lastId = Math.max(this.#lastId ?? 0, to);
  }

  /** Waits before the next connection; throws if there must be none. */
  async #afterEnd({ ending, wasConnected }: Connection): Promise<void> {
    const { code, reason } = ending ?? { code: 1006, reason: 'lost' };
    const end = streamEndOf(code, this.#tier);
    if (end !== null) throw end;
    if (wasConnected) return this.#pause(reason, this.#backoff.next());
    // Programs are not shown why a handshake was refused: REST answers the same key and filters with the reason.
    const refusal = await this.#refusalOfHandshake();
    if (refusal !== null && isFinal(refusal)) throw refusal;
    const words = refusal === null ? 'handshake refused, perhaps for too many sockets' : wordsOf(refusal);
    await this.#pause(code === 1006 ? words : reason, Math.max(this.#backoff.next(), waitOf(refusal)));
  }

  async #refusalOfHandshake(): Promise<unknown> {
    const { categories, ...rest } = this.#filters;
    const input = { ...rest, categories: categories?.toString() };
    const hasFilters = Object.values(input).some((value) => value !== undefined);
    const path = hasFilters ? '/api/v1/alerts/preview' : '/api/v1/me';
    try {
      await request(this.#service, { method: 'GET', path, input, signal: this.#signal });
      return null;
    } catch (error) {
      return error;
    }
  }

  async #newestId(): Promise<number> {
    const latest = {
      method: 'GET',
      path: '/api/v1/alerts/latest',
      input: { limit: 1 },
      signal: this.#signal,
    };
    const [newest] = (await this.#untilAnswered(() => request(this.#service, latest))) as Alert[];
    return newest?.id ?? 0;
  }

  async #untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const backoff = new Backoff();
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (this.#signal.aborted || isFinal(error)) throw error;
        await this.#pause(wordsOf(error), Math.max(backoff.next(), waitOf(error)));
        this.#signal.throwIfAborted();
      }
    }
  }

  async #pause(reason: string, ms: number): Promise<void> {
    this.#report({ state: 'waiting', ms, reason });
    await this.#service.wait(ms, this.#signal);
  }

  #address(): string {
    const { url, apiKey } = this.#service;
    const address = new URL('/ws/alerts', url);
    address.protocol = address.protocol.replace(/^http/, 'ws');
    const query = { api_key: apiKey, since_id: this.#lastId, ...this.#filters };
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) address.searchParams.set(name, String(value));
    }
    return address.href;
  }
}

/** Whether the same request would be refused again. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof TipoffError)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** A `Retry-After` above this is not believed. */
const LONGEST_WAIT_MS = 60_000;

function waitOf(error: unknown): number {
  const seconds = error instanceof TipoffError ? (error.retryAfter ?? 0) : 0;
  return Math.min(seconds * 1_000, LONGEST_WAIT_MS);
}

function wordsOf(error: unknown): string {
  return error instanceof TipoffError ? error.message : 'service unavailable';
}
