import { expect, onTestFinished, test } from 'vitest';
import { WorkerThread } from '../../../src/infra/process/worker-thread.ts';

const STILL = new AbortController().signal;
const SOURCE = new URL('../../../src/infra/process/worker-thread.ts', import.meta.url);
/** Answers with the request; one that is null fails, and 0 ends the thread. */
const CODE = `
  import { answerRequests } from '${SOURCE}';
  answerRequests(async (request) => {
    if (request === 0) process.exit(1);
    return request.toFixed(1);
  });
`;

function openThread(limits = {}): WorkerThread<number | null, string> {
  const file = new URL(`data:text/javascript,${encodeURIComponent(CODE)}`);
  const thread = new WorkerThread<number | null, string>(file, { name: 'the thread that echoes', limits });
  onTestFinished(() => thread.close());
  return thread;
}

test('a thread answers one request after another, and keeps nothing of them', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const thread = openThread();
  for (let request = 1; request <= 15; request++)
    expect(await thread.ask(request, STILL)).toBe(`${request}.0`);
  await new Promise(setImmediate);
  expect(warnings.map(({ name }) => name)).not.toContain('MaxListenersExceededWarning');
});

test('a request that fails, or ends the thread, says so, and the next gets another thread', async () => {
  const thread = openThread();
  await expect(thread.ask(null, STILL)).rejects.toThrow(/null/);
  await expect(thread.ask(0, STILL)).rejects.toThrow(/aborted|the thread that echoes has stopped/);
  expect(await thread.ask(2, STILL)).toBe('2.0');
});
