import { type IShardingStrategy, SimpleShardingStrategy, type WebSocketOptions } from 'discord.js';
import { withTimeout } from '../../src/core/async/with-timeout.ts';
import type { Clock } from '../../src/core/clock.ts';

type Manager = Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0];

const SETTLE_MS = 3_000;

/** The end of a client's connection that lasts. */
export interface ShardEnd {
  /** For `ClientOptions.ws`. */
  buildStrategy(manager: Manager): IShardingStrategy;
  /** To be awaited before the client is destroyed. */
  prepare(): Promise<void>;
}

/**
 * discord.js loses sight of a connection that is destroyed while it comes about: a shard between two tries goes on after
 * it, and a socket that opens later stays. So no try begins any more (it asks for its session first, and waits there),
 * and the try under way is awaited.
 */
export function createShardEnd(clock: Pick<Clock, 'sleep'>): ShardEnd {
  let isEnding = false;
  let isOpening = false;
  const settled = new Set<() => void>();

  function settle(): void {
    isOpening = false;
    for (const tell of settled) tell();
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
