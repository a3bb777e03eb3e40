import { setInterval as every } from 'node:timers/promises';
import { openDatabase } from '../../src/infra/database.ts';
import type { BenchDatabase } from './databases.ts';
import { seconds } from './figure.ts';
import type { Meanwhile } from './rivals.ts';
import { sampleAlert } from './sample-alerts.ts';

const EVERY_MS = 40;

/** Sample alerts of the present moment, appended one after the other, each durable before the next. */
export interface Arrivals {
  readonly start: Meanwhile;
  /** Number of alerts, and the seconds in which they arrived. */
  told(): { readonly count: number; readonly seconds: number };
}

export function createArrivals({ url }: BenchDatabase, after: number): Arrivals {
  let last = after;
  let time = 0;

  async function append(signal: AbortSignal): Promise<void> {
    const { alerts, close } = await openDatabase(url);
    const startedAt = performance.now();
    try {
      for await (const _ of every(EVERY_MS, null, { signal })) {
        const now = Date.now();
        const outcome = await alerts.append({ ...sampleAlert(last + 1), createdAt: now, publishedAt: now });
        if (outcome !== 'appended') throw new Error(`alert ${last + 1} was not appended: ${outcome}`);
        last += 1;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      time += seconds(startedAt);
      await close();
    }
  }

  return {
    start() {
      const stopping = new AbortController();
      const running = append(stopping.signal);
      // What went wrong is thrown where it is stopped.
      running.catch(() => {});
      return {
        async stop() {
          stopping.abort();
          await running;
        },
      };
    },
    told: () => ({ count: last - after, seconds: time }),
  };
}
