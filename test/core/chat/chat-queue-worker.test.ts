import { expect, onTestFinished, test } from 'vitest';
import type { ChatMessage } from '../../../src/core/chat/chat-message.ts';
import { ChatQueueWorker } from '../../../src/core/chat/chat-queue-worker.ts';
import { NOT_OURS } from '../../../src/core/chat/send-step.ts';
import { noteFor } from '../../support/chat/messages.ts';
import { createFakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';

test('pages that hold only messages of other workers are read once a second each, not in a loop', async () => {
  const clock = createFakeClock(START);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  let reads = 0;
  const due = async ({ limit }: { limit: number }) => {
    reads += 1;
    if (reads > 50) stop.abort();
    return Array.from({ length: limit }, () => noteFor('customer:cus_a') as ChatMessage);
  };
  const worker = new ChatQueueWorker('private', async () => NOT_OURS, {
    ...{ store: { due }, clock, logger: silentLogger },
    yieldToLoop: () => new Promise((resolve) => setImmediate(resolve)),
  });

  void worker.run(stop.signal);
  await clock.asleep();
  await clock.advance(3_000);

  expect(reads).toBe(4);
});
