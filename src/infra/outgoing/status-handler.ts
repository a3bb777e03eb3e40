import type { Dispatcher } from 'undici';

/**
 * Gives the status of an answer as soon as its head is there, and drops its body; a body that takes longer than `bodyMs`
 * closes the connection. undici's `request` makes a stream of each body: a third more processor time for a delivery.
 */
export class StatusHandler implements Dispatcher.DispatchHandler {
  readonly status: Promise<number>;
  readonly #bodyMs: number;
  readonly #signal: AbortSignal;
  readonly #resolve: (status: number) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #bodyTimer: NodeJS.Timeout | undefined;

  /** An abort before the head closes the connection. */
  constructor(bodyMs: number, signal: AbortSignal) {
    this.#bodyMs = bodyMs;
    this.#signal = signal;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.status = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  readonly #abort = (): void => {
    this.#controller?.abort(this.#signal.reason);
    this.#reject(this.#signal.reason);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) controller.abort(this.#signal.reason);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.#resolve(status);
    this.#bodyTimer = setTimeout(() => controller.abort(new Error('slow body')), this.#bodyMs);
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    clearTimeout(this.#bodyTimer);
    this.#signal.removeEventListener('abort', this.#abort);
  }
}
