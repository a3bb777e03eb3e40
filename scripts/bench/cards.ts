import { setTimeout } from 'node:timers/promises';
import { CardThread } from '../../src/infra/cards/card-thread.ts';
import { type Figure, figure, mb, median, ms, percentile, whole } from './figure.ts';
import { longestBlock } from './longest-block.ts';
import { cpuSeconds } from './process-use.ts';
import { sampleAlert } from './sample-alerts.ts';

const CARDS = 200;
const BLOCK_MS_MAX = 20;

/** Pictures of alerts, drawn one after the other in their thread. */
export async function benchCards(): Promise<readonly Figure[]> {
  const before = process.memoryUsage.rss();
  const thread = new CardThread();
  const first = await timed(() => draw(thread, 1));
  const [times, sizes]: [number[], number[]] = [[], []];
  const usage = process.cpuUsage();
  const startedAt = performance.now();
  const block = await longestBlock(async () => {
    for (let id = 2; id < 2 + CARDS; id++) {
      times.push(await timed(async () => void sizes.push(await draw(thread, id))));
    }
  });
  const elapsedMs = performance.now() - startedAt;
  const processor = (cpuSeconds(usage) * 1_000) / CARDS;
  const after = process.memoryUsage.rss();
  await thread.close();
  const idle = await longestBlock(() => setTimeout(elapsedMs));
  // On a busy machine the loop waits for a core, too.
  const isUnblocked = {
    aim: `≤ ${BLOCK_MS_MAX} ms, or as without a card`,
    isMet: block <= Math.max(BLOCK_MS_MAX, idle),
  };
  return [
    figure('a card, median and p99 of 200', `${ms(median(times))}, ${ms(percentile(times, 0.99))}`),
    figure('processor time of a card, on all threads', ms(processor)),
    figure('the first card, with the start of the thread, fonts and libraries', ms(first)),
    figure('the longest block of the main loop meanwhile', ms(block), isUnblocked),
    figure('the same in as much time without a card', ms(idle)),
    figure('memory of the process: growth with the thread, after the cards', mb(after - before)),
    figure('bytes of a card, median', whole(median(sizes))),
  ];
}

async function draw(thread: CardThread, id: number): Promise<number> {
  const subject = { alert: sampleAlert(id), isWithdrawn: false };
  return (await thread.draw(subject, new AbortController().signal)).length;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}
