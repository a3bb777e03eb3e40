import { createRetryUntilAnswered, type RetryUntilAnswered } from '../async/retry-until-answered.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';

/** Calls of this process to the stores. */
export class StoreCalls {
  /** Unique process id, the owner of its claims. */
  readonly owner: string;
  readonly retryUntilAnswered: RetryUntilAnswered;
  #count = 0;

  constructor(options: {
    readonly owner: string;
    readonly clock: Clock;
    readonly logger: Pick<Logger, 'warn'>;
  }) {
    this.owner = options.owner;
    this.retryUntilAnswered = createRetryUntilAnswered(options);
  }

  /** A unique name for one change. */
  nextCall(): string {
    this.#count += 1;
    return `${this.owner}#${this.#count}`;
  }
}
