import { setInterval as every } from 'node:timers/promises';
import { openDatabase } from '../../src/infra/database/database.ts';
import { seconds } from './figure.ts';
import { sampleAlert } from './sample-alerts.ts';

const EVERY_MS = 40;

/** Sample alerts of the present moment, appended one after the other, each durable before the next. */
export class Arrivals {
  readonly #databaseUrl: string;
  readonly #after: number;
  /** Alerts that arrived, and the seconds in which they did. */
  count = 0;
  seconds = 0;

  constructor(databaseUrl: string, after: number) {
    this.#databaseUrl = databaseUrl;
    this.#after = after;
  }

  /** Appends until it is disposed of, which throws what went wrong. */
  start = (): AsyncDisposable => {
    const stopping = new AbortController();
    const running = this.#append(stopping.signal);
    running.catch(() => {});
    return {
      async [Symbol.asyncDispose]() {
        stopping.abort();
        await running;
      },
    };
  };

  async #append(signal: AbortSignal): Promise<void> {
    const { alerts, close } = await openDatabase(this.#databaseUrl);
    const startedAt = performance.now();
    try {
      for await (const _ of every(EVERY_MS, null, { signal })) {
        const [id, now] = [this.#after + this.count + 1, Date.now()];
        const outcome = await alerts.append({ ...sampleAlert(id), createdAt: now, publishedAt: now });
        if (outcome !== 'appended') throw new Error(`alert ${id} was not appended: ${outcome}`);
        this.count += 1;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.seconds += seconds(startedAt);
      await close();
    }
  }
}
