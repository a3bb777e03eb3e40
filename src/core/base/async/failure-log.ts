import type { Logger } from '../logger.ts';

/** Logs the first of several failures in a row. */
export class FailureLog {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #message: string;
  readonly #fieldsOf: (error: unknown) => object;
  #isFailing = false;

  /** `message`: what failed, and what follows from it, for example `the key store is unavailable; retrying every second`. `fieldsOf`: what is logged of an error. */
  constructor(
    logger: Pick<Logger, 'warn'>,
    message: string,
    fieldsOf: (error: unknown) => object = (err) => ({ err }),
  ) {
    this.#logger = logger;
    this.#message = message;
    this.#fieldsOf = fieldsOf;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  failed(error: unknown, fields: object = {}): void {
    if (!this.#isFailing) this.#logger.warn({ ...fields, ...this.#fieldsOf(error) }, this.#message);
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
