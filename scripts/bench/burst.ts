import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createContainer } from '../../src/container.ts';
import { writeBurstTape } from '../../test/support/burst-tape.ts';
import { slowDisk } from '../../test/support/slow-disk.ts';
import { openSqliteFile } from './databases.ts';
import { type Figure, figure, median, ms } from './figure.ts';
import { longestBlock } from './longest-block.ts';
import { endListener, replayConfig } from './replay.ts';

const BUYS = 250;
const RUNS = 5;
const LONGER_MS = 10;
const BLOCK_MS_MAX = 50;

interface Burst {
  readonly alerts: number;
  readonly blockMs: number;
  readonly elapsedMs: number;
}

/** Many alerts in one batch of rows, on the disk as it is and on a slower one. */
export async function benchBurst(): Promise<readonly Figure[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-burst-'));
  const tape = join(folder.path, 'burst.jsonl');
  await writeBurstTape(tape, BUYS);
  const quick = await bursts(tape);
  slowDisk(LONGER_MS);
  const slow = await bursts(tape);
  const idle = await longestBlock(() => setTimeout(slow.elapsedMs));
  // On a busy machine the loop waits for a core, too.
  const most = Math.max(BLOCK_MS_MAX, idle);
  const aimFor = (blockMs: number) => ({
    aim: `≤ ${BLOCK_MS_MAX} ms, or as without alerts`,
    isMet: blockMs <= most,
  });
  const what = `the longest block of the main loop (median of ${RUNS} runs)`;
  return [
    figure(`${slow.alerts} alerts: ${what}`, ms(quick.blockMs), aimFor(quick.blockMs)),
    figure(`each sync ${LONGER_MS} ms longer: ${what}`, ms(slow.blockMs), aimFor(slow.blockMs)),
    figure('the same in as much time without alerts', ms(idle)),
    figure('from the start to the last snapshot', `${ms(quick.elapsedMs)}, ${ms(slow.elapsedMs)}`),
  ];
}

async function bursts(tape: string): Promise<Burst> {
  const runs: Burst[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await burst(tape));
  return {
    alerts: runs[0]?.alerts ?? 0,
    blockMs: median(runs.map(({ blockMs }) => blockMs)),
    elapsedMs: median(runs.map(({ elapsedMs }) => elapsedMs)),
  };
}

async function burst(tape: string): Promise<Burst> {
  await using database = await openSqliteFile();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const container = await createContainer(replayConfig(database.url, tape), { logger: endListener(end) });
  try {
    const startedAt = performance.now();
    await container.start();
    const blockMs = await longestBlock(() => Promise.race([ended, container.ended]));
    const alerts = (await container.database.alerts.last())?.id ?? 0;
    return { alerts, blockMs, elapsedMs: performance.now() - startedAt };
  } finally {
    await container.close();
  }
}
