import { type IShardingStrategy, SimpleShardingStrategy, type WebSocketOptions } from 'discord.js';
import { withTimeout } from '../../src/core/async/with-timeout.ts';
import type { Clock } from '../../src/core/clock.ts';

type Manager = Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0];

const SETTLE_MS = 3_000;

/** Ends the connection of a client completely. */
export interface ShardEnd {
  /** For `ClientOptions.ws`. */
  buildStrategy(manager: Manager): IShardingStrategy;
  /** Must be awaited before the client is destroyed. */
  prepare(): Promise<void>;
}

/**
 * discord.js loses track of a connection that is destroyed while it opens: a shard between two attempts continues, and a
 * socket that opens later stays open. Therefore no new attempt begins (each first asks for its session, and waits there),
 * and the current one is awaited.
 */
export function createShardEnd(clock: Pick<Clock, 'sleep'>): ShardEnd {
  let isEnding = false;
  let isOpening = false;
  const settled = new Set<() => void>();

  function settle(): void {
    isOpening = false;
    for (const resolve of settled) resolve();
    settled.clear();
  }

  return {
    buildStrategy(manager) {
      const { retrieveSessionInfo } = manager.options;
      manager.options.retrieveSessionInfo = (shard) => {
        if (isEnding) return new Promise(() => {});
        return retrieveSessionInfo(shard);
      };
      manager.on('debug', ({ message }) => {
        if (message.startsWith('Connecting to')) isOpening = true;
      });
      manager.on('hello', settle);
      manager.on('closed', settle);
      return new SimpleShardingStrategy(manager);
    },
    async prepare() {
      isEnding = true;
      if (!isOpening) return;
      const settling = new Promise<void>((resolve) => settled.add(resolve));
      await withTimeout({ clock, timeoutMs: SETTLE_MS }, settling).catch(() => {});
    },
  };
}
