import { setTimeout as delay } from 'node:timers/promises';
import { openFrom } from './ask-from.ts';
import type { Attack } from './attack.ts';
import { LARGE_MONTH } from './attacked-service.ts';

const ATTACKERS = ['127.0.0.41', '127.0.0.42', '127.0.0.43', '127.0.0.44'];
const PER_ATTACKER = 2;
const READ_BYTES = 64 * 1_024;
const READ_EVERY_MS = 2_000;
const STARTED_WITHIN_MS = 30_000;
const PATIENCE_MS = 90_000;
const ASK_AGAIN_MS = 1_000;

export const downloadAttack: Attack = {
  name: 'downloads of the log, read slowly by four addresses, two each',
  async strike(address) {
    const over = new AbortController();
    const path = `/log/${LARGE_MONTH}.jsonl`;
    const open = (from: string) => openFrom({ address, from, path, signal: over.signal });
    let begun = 0;
    const attack = async (from: string) => {
      while (!over.signal.aborted) {
        const answer = await open(from);
        if (answer?.statusCode === 200) {
          begun += 1;
          while (!over.signal.aborted && !answer.destroyed && !answer.readableEnded) {
            answer.read(Math.min(READ_BYTES, answer.readableLength));
            await delay(READ_EVERY_MS);
          }
        }
        answer?.destroy();
        if (!over.signal.aborted) await delay(ASK_AGAIN_MS);
      }
    };
    const attacking = ATTACKERS.flatMap((from) => Array.from({ length: PER_ATTACKER }, () => attack(from)));
    await delay(2_000);
    const askedAt = performance.now();
    const startedMs = await startOf(() => open('127.0.0.45'), askedAt);
    over.abort();
    await Promise.all(attacking);
    const when =
      startedMs === null
        ? `not within ${PATIENCE_MS / 1_000} s`
        : `after ${(startedMs / 1_000).toFixed(1)} s`;
    return {
      figures: [`a download of another address begun ${when}; the attackers began ${begun}`],
      problems:
        startedMs === null || startedMs > STARTED_WITHIN_MS
          ? [`later than ${STARTED_WITHIN_MS / 1_000} s`]
          : [],
    };
  },
};

async function startOf(open: () => ReturnType<typeof openFrom>, askedAt: number): Promise<number | null> {
  while (performance.now() - askedAt < PATIENCE_MS) {
    const answer = await open();
    const isBegun = answer?.statusCode === 200;
    answer?.destroy();
    if (isBegun) return performance.now() - askedAt;
    await delay(ASK_AGAIN_MS);
  }
  return null;
}
