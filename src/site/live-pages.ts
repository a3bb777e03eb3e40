import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConcurrencyQuota } from '../core/base/async/fair-queue.ts';
import { repeat } from '../core/base/async/repeat.ts';
import type { Clock } from '../core/base/time/clock.ts';
import { SECOND_MS } from '../core/base/time/duration.ts';

export const LIVE_PAGES_MAX = 5_000;
export const LIVE_PAGES_PER_ADDRESS = 10;
const COLLECT_MS = 250;
/** Shorter than the time after which proxies close a silent connection. */
const BEAT_MS = 25 * SECOND_MS;
const SLICE = 20;
/** A page that does not read is cut off. */
const UNSENT_BYTES_MAX = 64 * 1_024;

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
/** A browser that lost its connection waits so long before it connects again. */
const HELLO = 'retry: 5000\n\n';
const CHANGED = 'event: changed\ndata: {}\n\n';
const BEAT = ':\n\n';

interface LivePage {
  readonly topics: readonly string[];
  readonly response: ServerResponse;
  isBehind: boolean;
}

export type LivePageRefusal = 'total' | 'address';

/** Sends an event to pages in browsers when one of their topics has changed (server-sent events, html.spec.whatwg.org, 9.2). */
export class LivePages {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #pages = new Set<LivePage>();
  readonly #quota = new ConcurrencyQuota();
  readonly #stop = new AbortController();
  #isCollecting = false;

  constructor(clock: Pick<Clock, 'sleep'>) {
    this.#clock = clock;
  }

  get count(): number {
    return this.#pages.size;
  }

  attach(
    response: ServerResponse,
    { address, topics, headers }: { address: string; topics: readonly string[]; headers: object },
  ): LivePageRefusal | null {
    if (this.#pages.size >= LIVE_PAGES_MAX) return 'total';
    const release = this.#quota.take(address, LIVE_PAGES_PER_ADDRESS);
    if (release === null) return 'address';
    const page = { topics, response, isBehind: false };
    this.#pages.add(page);
    response.once('close', () => {
      this.#pages.delete(page);
      release();
    });
    response.writeHead(200, { ...headers, ...HEADERS });
    response.write(HELLO);
    if (this.#stop.signal.aborted) response.end();
    return null;
  }

  change(topic: string): void {
    for (const page of this.#pages) if (page.topics.includes(topic)) page.isBehind = true;
    if (!this.#isCollecting) void this.#sendChanges();
  }

  async run(signal: AbortSignal): Promise<void> {
    const clock = this.#clock;
    await repeat(() => this.#send(BEAT, [...this.#pages]), { clock, signal, intervalMs: BEAT_MS });
  }

  /** Ends all connections: browsers connect again, to another process. */
  close(): void {
    this.#stop.abort();
    for (const { response } of this.#pages) response.end();
  }

  async #sendChanges(): Promise<void> {
    this.#isCollecting = true;
    await this.#clock.sleep(COLLECT_MS, this.#stop.signal);
    this.#isCollecting = false;
    const behind = [...this.#pages].filter(({ isBehind }) => isBehind);
    for (const page of behind) page.isBehind = false;
    await this.#send(CHANGED, behind);
  }

  /** In slices of half a millisecond, between which the event loop continues. */
  async #send(text: string, pages: readonly LivePage[]): Promise<void> {
    for (let from = 0; from < pages.length; from += SLICE) {
      if (from > 0) await nextTurn();
      for (const { response } of pages.slice(from, from + SLICE)) {
        if (response.writableLength > UNSENT_BYTES_MAX) response.destroy();
        else if (!response.writableEnded) response.write(text);
      }
    }
  }
}
