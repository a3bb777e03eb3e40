import { FailureLog } from '../../src/core/base/async/failure-log.ts';
import { repeat } from '../../src/core/base/async/repeat.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';

export interface MissingItem {
  /** For example `telegram_post_messages`. */
  readonly name: string;
  readonly remedy: string;
}

/** Something that a bot needs, whether it has it or not. `remedy`: null when nothing is missing. */
export interface SetupItem {
  readonly name: string;
  readonly remedy: string | null;
}

export interface BotSetup {
  /** Checks everything that can be. Throws when the platform does not answer; the error has no token. */
  inspect(): Promise<readonly SetupItem[]>;
  /** Posts silently to the channel, edits the post and deletes it. Empty without a channel. Never throws. */
  prove(): Promise<readonly SetupItem[]>;
}

export function missingOf(items: readonly SetupItem[]): readonly MissingItem[] {
  return items.flatMap(({ name, remedy }) => (remedy === null ? [] : [{ name, remedy }]));
}

/** What is missing is checked more often, so that the operator sees that a remedy has worked. */
const MISSING_INTERVAL_MS = 5 * MINUTE_MS;
const RETRY_MS = MINUTE_MS;

interface SetupWatchOptions {
  readonly setup: Pick<BotSetup, 'inspect'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Checks at the start and hourly, every 5 minutes while something is missing; logs each change. */
export class SetupWatch {
  readonly #options: SetupWatchOptions;
  readonly #failures: FailureLog;
  #missing: readonly MissingItem[] = [];

  constructor(options: SetupWatchOptions) {
    this.#options = options;
    this.#failures = new FailureLog(
      options.logger,
      'check of the channel and the rights of a bot failed; retrying',
      (error) => ({ reason: error instanceof Error ? error.message : String(error) }),
    );
  }

  get missing(): readonly MissingItem[] {
    return this.#missing;
  }

  /** Checks until the signal aborts. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const check = async () => {
      const items = await this.#options.setup.inspect();
      if (!signal.aborted) this.#note(missingOf(items));
    };
    const intervalMs = () => (this.#missing.length === 0 ? HOUR_MS : MISSING_INTERVAL_MS);
    const { clock } = this.#options;
    await repeat(check, { clock, signal, intervalMs, retryMs: RETRY_MS, failures: this.#failures });
  }

  #note(missing: readonly MissingItem[]): void {
    const { logger } = this.#options;
    const before = this.#missing;
    this.#missing = missing;
    for (const { name, remedy } of missing) {
      if (!before.some((item) => item.name === name && item.remedy === remedy))
        logger.warn({ missing: name, remedy }, 'a bot lacks a channel or a right');
    }
    for (const { name } of before) {
      if (!missing.some((item) => item.name === name))
        logger.info({ missing: name }, 'a bot has the channel or right again that was missing');
    }
  }
}

const TEST_POST = 'Tipoff checks that it can post here. This message is deleted immediately.';

interface PostSteps<Post> {
  readonly prefix: string;
  post(text: string): Promise<Post>;
  edit(post: Post, text: string): Promise<unknown>;
  remove(post: Post): Promise<unknown>;
  readonly remedyOf: (error: unknown) => string;
}

/** A post that is edited and deleted. When it is refused, nothing else is tried. */
export async function provePost<Post>(steps: PostSteps<Post>): Promise<readonly SetupItem[]> {
  const items: SetupItem[] = [];
  const attempt = async <Answer>(step: string, act: () => Promise<Answer>): Promise<Answer | null> => {
    const name = `${steps.prefix}_test_${step}`;
    try {
      const answer = await act();
      items.push({ name, remedy: null });
      return answer;
    } catch (error) {
      items.push({ name, remedy: steps.remedyOf(error) });
      return null;
    }
  };
  const post = await attempt('post', () => steps.post(TEST_POST));
  if (post === null) return items;
  await attempt('edit', () => steps.edit(post, `${TEST_POST} It was edited.`));
  await attempt('delete', () => steps.remove(post));
  return items;
}
