import { expect, onTestFinished, test } from 'vitest';
import { WorkerThread } from '../../../src/infra/process/worker-thread.ts';

const STILL = new AbortController().signal;
const SOURCE = new URL('../../../src/infra/process/worker-thread.ts', import.meta.url);
/** Answers with the request; one that is null fails, and 0 ends the thread. */
const CODE = `
  import { answerRequests, tellMain } from '${SOURCE}';
  answerRequests(async (request) => {
    if (request === 1) tellMain('one was asked');
    if (request === 0) process.exit(1);
    return request.toFixed(1);
  });
`;

function openThread(limits = {}, onTold = (_text: string) => {}): WorkerThread<number | null, string> {
  const file = new URL(`data:text/javascript,${encodeURIComponent(CODE)}`);
  const thread = new WorkerThread<number | null, string>(file, {
    ...{ name: 'the thread that echoes', limits, onTold },
  });
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

test('what a thread tells without being asked is heard, and no answer to a request', async () => {
  const told: string[] = [];
  const thread = openThread({}, (text) => void told.push(text));
  expect(await thread.ask(1, STILL)).toBe('1.0');
  expect(told).toEqual(['one was asked']);
});

test('a request that fails, or ends the thread, says so, and the next is answered', async () => {
  const thread = openThread();
  await expect(thread.ask(null, STILL)).rejects.toThrow(/null/);
  await expect(thread.ask(0, STILL)).rejects.toThrow(/aborted|the thread that echoes has stopped/);
  expect(await thread.ask(2, STILL)).toBe('2.0');
});

test('several requests at a time each get their own answer; a signal ends the thread with all of them', async () => {
  const thread = openThread();
  const answers = [1, null, 3].map((request) => thread.ask(request, STILL));
  expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  const stop = new AbortController();
  const asked = [thread.ask(4, stop.signal), thread.ask(5, STILL)];
  stop.abort(new Error('stopped'));
  const ended = { status: 'rejected', reason: expect.objectContaining({ message: 'stopped' }) };
  expect(await Promise.allSettled(asked)).toEqual([ended, ended]);
});
