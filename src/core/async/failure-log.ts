import type { Logger } from '../logger.ts';

/** Logs the first of several failures in a row. */
export class FailureLog {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #message: string;
  #isFailing = false;

  /** `message`: what failed, and what follows from it, for example `the key store is unavailable; retrying every second`. */
  constructor(logger: Pick<Logger, 'warn'>, message: string) {
    this.#logger = logger;
    this.#message = message;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  failed(error: unknown, fields: object = {}): void {
    if (!this.#isFailing) this.#logger.warn({ ...fields, err: error }, this.#message);
    this.#isFailing = true;
  }

  succeeded(): void {
    this.#isFailing = false;
  }

  /** Runs the task and logs its failure. Null when it failed. */
  async guard<Answer>(task: () => Promise<Answer>): Promise<Answer | null> {
    try {
      const answer = await task();
      this.succeeded();
      return answer;
    } catch (error) {
      this.failed(error);
      return null;
    }
  }
}
