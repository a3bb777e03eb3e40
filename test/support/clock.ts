import type { EpochMs } from '../../src/core/base/time/duration.ts';

/** A clock that stands still until it is moved. */
export type FakeClock = ReturnType<typeof createFakeClock>;

interface Sleeper {
  readonly due: number;
  wake(): void;
}

export function createFakeClock(start: EpochMs) {
  let elapsed = 0;
  let offset = start;
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<{ count: number; tell: () => void }>();

  function tellWatchers(): void {
    for (const watcher of watchers) {
      if (sleepers.size < watcher.count) continue;
      watchers.delete(watcher);
      watcher.tell();
    }
  }

  const nextDue = (until: number) =>
    [...sleepers].filter(({ due }) => due <= until).toSorted((a, b) => a.due - b.due)[0];

  return {
    now: (): EpochMs => offset + elapsed,
    monotonic: () => elapsed,
    /** Sets the wall clock on by so much, or back; neither durations nor sleepers notice. */
    set(byMs: number): void {
      offset += byMs;
    },
    sleep(ms: number, signal?: AbortSignal): Promise<void> {
      if (signal?.aborted === true) return Promise.resolve();
      return new Promise((resolve) => {
        // Whole milliseconds, as a real clock shows: a database does not take a time with a fraction.
        const sleeper = { due: elapsed + Math.ceil(Math.max(0, ms)), wake };
        function wake(): void {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        }
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
        tellWatchers();
      });
    },
    /** Moves on, waking each sleeper at its own moment, the earliest first, and lets it run before the next. */
    async advance(ms: number): Promise<void> {
      const until = elapsed + ms;
      for (let next = nextDue(until); next !== undefined; next = nextDue(until)) {
        elapsed = Math.max(elapsed, next.due);
        next.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
      elapsed = until;
    },
    /** As of a host that slept: moves on at once, and whoever is due wakes once, however often it would have. */
    async jump(ms: number): Promise<void> {
      elapsed += ms;
      for (const { due, wake } of [...sleepers]) if (due <= elapsed) wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** Resolves once `count` sleepers are asleep. */
    asleep(count = 1) {
      return new Promise<void>((tell) => {
        watchers.add({ count, tell });
        tellWatchers();
      });
    },
    get sleepers() {
      return sleepers.size;
    },
  };
}
