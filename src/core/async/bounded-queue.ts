/** Runs tasks a few at a time; whatever does not fit is refused instead of piling up. */
export interface BoundedQueue {
  /**
   * Runs the task when its turn comes. Null when its group has too many waiting. Tasks with `isLast` wait until no
   * other can start.
   */
  run<T>(claim: { group: string; isLast: boolean }, task: () => Promise<T>): Promise<T> | null;
}

/** How much a queue holds. */
export interface BoundedQueueLimits {
  /** Tasks under way at once, overall and of one group. */
  readonly concurrency: number;
  readonly concurrencyPerGroup: number;
  /** Tasks of one group that wait; half of the places are closed to tasks with `isLast`. */
  readonly waitingPerGroup: number;
}

interface Waiting {
  readonly group: string;
  readonly isLast: boolean;
  start(): void;
}

/** A queue whose memory is bounded by its groups. A task that throws frees its place. */
export function createBoundedQueue({
  concurrency: atOnce,
  concurrencyPerGroup: atOncePerGroup,
  waitingPerGroup,
}: BoundedQueueLimits): BoundedQueue {
  const waiting: Waiting[] = [];
  const running = new Map<string, number>();
  let total = 0;

  const canStart = ({ group }: Waiting) => (running.get(group) ?? 0) < atOncePerGroup;

  function startNext(): void {
    while (total < atOnce) {
      const first = waiting.findIndex((entry) => !entry.isLast && canStart(entry));
      const index = first < 0 ? waiting.findIndex(canStart) : first;
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (next === undefined) return;
      take(next.group, 1);
      next.start();
    }
  }

  function take(group: string, count: 1 | -1): void {
    total += count;
    const left = (running.get(group) ?? 0) + count;
    if (left === 0) running.delete(group);
    else running.set(group, left);
  }

  return {
    run({ group, isLast }, task) {
      const ahead = waiting.reduce((count, entry) => (entry.group === group ? count + 1 : count), 0);
      if (ahead >= (isLast ? waitingPerGroup / 2 : waitingPerGroup)) return null;
      return new Promise((resolve, reject) => {
        const start = () => {
          task()
            .then(resolve, reject)
            .finally(() => {
              take(group, -1);
              startNext();
            });
        };
        waiting.push({ group, isLast, start });
        startNext();
      });
    },
  };
}
