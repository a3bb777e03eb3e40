import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const TUNING = new URL('../../../src/infra/process/v8-tuning.ts', import.meta.url);
const COST_AFTER_COLLECTIONS = `
  const tick = (left) => new Promise((resolve) => {
    const next = () => (left-- > 0 ? process.nextTick(next, 1) : resolve());
    next();
  });
  await tick(50);
  for (let round = 0; round < 6; round++) {
    await new Promise(setImmediate);
    gc();
  }
  await tick(100_000);
  const before = process.cpuUsage();
  await tick(200_000);
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(String(user + system));
`;

async function costOfTicks(setUp: string): Promise<number> {
  const args = ['--expose-gc', '--input-type=module', '--eval', setUp + COST_AFTER_COLLECTIONS];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}

test('full collections do not make process.nextTick slow', async () => {
  const plain = await costOfTicks('');
  const tuned = await costOfTicks(`await import('${TUNING}');`);
  expect(tuned).toBeLessThan(plain * 0.7);
});
