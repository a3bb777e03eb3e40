import { Backoff } from './backoff.ts';
import { TipoffError } from './errors.ts';
import type { Call, Service } from './request.ts';
import { request } from './request.ts';

/** A `Retry-After` above this is not believed. */
const LONGEST_WAIT_MS = 60_000;

/** Requests that are repeated until they are answered, or refused in a way that repeating does not change. */
export class Patience {
  readonly #service: Service;
  readonly #signal: AbortSignal;
  readonly #onPause: (ms: number, reason: string) => void;

  /** `onPause` is called before each pause. */
  constructor(service: Service, signal: AbortSignal, onPause: (ms: number, reason: string) => void) {
    this.#service = { ...service, retries: 0 };
    this.#signal = signal;
    this.#onPause = onPause;
  }

  /** One attempt at a `GET`. */
  get(path: string, input: Call['input'] = {}): Promise<unknown> {
    return request(this.#service, { method: 'GET', path, input, signal: this.#signal });
  }

  async getUntilAnswered(path: string, input: Call['input'] = {}): Promise<unknown> {
    const backoff = new Backoff();
    for (;;) {
      try {
        return await this.get(path, input);
      } catch (error) {
        if (this.#signal.aborted || isFinal(error)) throw error;
        await this.pause(Math.max(backoff.next(), waitOf(error)), wordsOf(error));
        this.#signal.throwIfAborted();
      }
    }
  }

  async pause(ms: number, reason: string): Promise<void> {
    this.#onPause(ms, reason);
    await this.#service.wait(ms, this.#signal);
  }
}

/** Whether the same request would be refused again. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof TipoffError)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Milliseconds that the service asked to wait. */
export function waitOf(error: unknown): number {
  const seconds = error instanceof TipoffError ? (error.retryAfter ?? 0) : 0;
  return Math.min(seconds * 1_000, LONGEST_WAIT_MS);
}

export function wordsOf(error: unknown): string {
  return error instanceof TipoffError ? error.message : 'service unavailable';
}
