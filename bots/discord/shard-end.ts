import { type IShardingStrategy, SimpleShardingStrategy, type WebSocketOptions } from 'discord.js';
import { withTimeout } from '../../src/core/base/async/with-timeout.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';

type Manager = Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0];

const SETTLE_MS = 3_000;

/**
 * Ends the connection of a client completely. discord.js loses track of a connection that is destroyed while it opens: a
 * shard between two attempts continues, and a socket that opens later stays open. Therefore no new attempt begins (each
 * first asks for its session, and waits there), and the current one is awaited.
 */
export class ShardEnd {
  readonly #clock: Pick<Clock, 'sleep'>;
  #isEnding = false;
  /** Resolves when the current attempt has succeeded or failed; null without one. */
  #opening: PromiseWithResolvers<void> | null = null;

  constructor(clock: Pick<Clock, 'sleep'>) {
    this.#clock = clock;
  }

  /** For `ClientOptions.ws`. */
  readonly buildStrategy = (manager: Manager): IShardingStrategy => {
    const { retrieveSessionInfo } = manager.options;
    manager.options.retrieveSessionInfo = (shard) =>
      this.#isEnding ? new Promise<never>(() => {}) : retrieveSessionInfo(shard);
    manager.on('debug', ({ message }) => {
      if (message.startsWith('Connecting to')) this.#opening ??= Promise.withResolvers<void>();
    });
    for (const event of ['hello', 'closed'] as const) manager.on(event, () => this.#settle());
    return new SimpleShardingStrategy(manager);
  };

  /** Must be awaited before the client is destroyed. */
  async prepare(): Promise<void> {
    this.#isEnding = true;
    if (this.#opening === null) return;
    await withTimeout({ clock: this.#clock, timeoutMs: SETTLE_MS }, this.#opening.promise).catch(() => {});
  }

  #settle(): void {
    this.#opening?.resolve();
    this.#opening = null;
  }
}
