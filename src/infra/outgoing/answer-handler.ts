import type { Dispatcher } from 'undici';

/** For the body of an answer: other requests wait for the connection. */
const BODY_MS = 500;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Head {
  readonly status: number;
  readonly headers: Headers;
}

/** Gives the head as soon as it is there: a third less processor time than `request`. An abort before it closes the connection. */
export class AnswerHandler implements Dispatcher.DispatchHandler {
  /** Whether a byte of an answer came. */
  isAnswered = false;
  readonly #head = Promise.withResolvers<Head>();
  readonly #signal: AbortSignal;
  #controller: Dispatcher.DispatchController | null = null;
  #bodyTimer: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  /** Rejects when none came. */
  get head(): Promise<Head> {
    return this.#head.promise;
  }

  readonly #abort = (): void => {
    this.#controller?.abort(this.#signal.reason);
    this.#head.reject(this.#signal.reason);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) controller.abort(this.#signal.reason);
  }

  onResponseStarted(): void {
    this.isAnswered = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#head.resolve({ status, headers });
    this.#bodyTimer = setTimeout(() => controller.abort(new Error('slow body')), BODY_MS);
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end();
    this.#head.reject(error);
  }

  #end(): void {
    clearTimeout(this.#bodyTimer);
    this.#signal.removeEventListener('abort', this.#abort);
  }
}
