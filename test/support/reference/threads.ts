import type { AlertType } from '../../../src/core/detection/candidate.ts';

/** What the next alert of a thread has to exceed: the strongest type, the latest second and the largest measure so far. */
interface Noted {
  readonly type: AlertType;
  readonly second: number;
  readonly measure: number;
}

/** The threads of alerts, by key. What the next alert of a thread has to exceed never falls. */
export class Threads {
  readonly #minGrowth: number;
  readonly #noted = new Map<string, Noted>();

  constructor(minGrowth: number) {
    this.#minGrowth = minGrowth;
  }

  of(key: string): Noted | undefined {
    return this.#noted.get(key);
  }

  hasGrown(thread: Noted | undefined, measure: number): boolean {
    return thread === undefined || measure >= this.#minGrowth * thread.measure;
  }

  note(key: string, alert: Noted): void {
    const noted = this.#noted.get(key) ?? alert;
    this.#noted.set(key, {
      type: noted.type === 'fresh' ? alert.type : noted.type,
      second: Math.max(noted.second, alert.second),
      measure: Math.max(noted.measure, alert.measure),
    });
  }
}
