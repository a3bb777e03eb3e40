import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { Screen } from '../../../bots/shared/screen.ts';
import { ChatEngine, type ChatEngineOptions } from '../../../src/core/chat/chat-engine.ts';
import type { ChatMessage, ChatState } from '../../../src/core/chat/chat-message.ts';
import type { Messengers } from '../../../src/core/chat/send-step.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import type { FakeClock } from '../clock.ts';
import { silentLogger } from '../silent-logger.ts';

interface OutboxOptions extends Pick<ChatEngineOptions<Screen>, 'customers'> {
  readonly clock: FakeClock;
  readonly present: (message: ChatMessage) => Promise<Screen>;
}

/** An outbox over SQLite in memory that sends with real messengers, and so over the wire. */
export async function openOutbox(messengers: Messengers<Screen>, options: OutboxOptions) {
  const database = await openDatabase('sqlite::memory:');
  const engine = new ChatEngine<Screen>({
    ...options,
    store: database.chat,
    messengers,
    keys: database.keys,
    isPaused: () => false,
    postsPerDay: 1_000,
    logger: silentLogger,
    random: () => 1,
    owner: 'engine',
    isGone: () => false,
    yieldToLoop: setImmediate,
  });
  onTestFinished(async () => {
    const closing = engine.close();
    await options.clock.advance(6_000);
    await closing;
    await database.close();
  });
  return {
    store: database.chat,
    clock: options.clock,
    start: () => engine.start(),
    /** Lets time pass until the message has the state. */
    async reaches(id: string, state: ChatState) {
      const look = async () => {
        const found = (await database.chat.byId(id))?.state;
        if (found !== state) await options.clock.advance(500);
        return found;
      };
      await expect.poll(look, { timeout: 20_000, interval: 10 }).toBe(state);
    },
  };
}
