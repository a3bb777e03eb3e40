import { setImmediate as nextTick } from 'node:timers/promises';
import type { Database } from '../../../src/core/database.ts';
import { eachCall } from '../each-call.ts';

/** Holds calls back, and makes one of those that wait when it is asked to. */
export class Gate {
  readonly #random: () => number;
  readonly #waiting: (() => Promise<unknown>)[] = [];
  readonly #failures: unknown[] = [];

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The database with every call of every store held back. */
  before(database: Database): Database {
    const run = (call: () => Promise<unknown>) =>
      new Promise<unknown>((resolve, reject) => {
        this.#waiting.push(() => call().then(resolve, reject));
      });
    const stores = Object.entries(database).map(([name, part]) => [
      name,
      typeof part === 'object' && part !== null ? eachCall(part, run) : part,
    ]);
    return Object.fromEntries(stores) as Database;
  }

  /** Runs a task until its calls are no longer made. Its failure is thrown by `pass`. */
  start(task: () => Promise<void>): void {
    task().catch((error: unknown) => this.#failures.push(error));
  }

  async pass(count: number): Promise<void> {
    for (let passed = 0; passed < count; passed += 1) {
      await nextTick();
      if (this.#failures.length > 0) throw this.#failures[0];
      const [call] = this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1);
      await call?.();
    }
  }
}
