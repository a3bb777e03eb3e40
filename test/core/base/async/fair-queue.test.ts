import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConcurrencyQuota, FairQueue, QueueFullError } from '../../../../src/core/base/async/fair-queue.ts';

const LIMITS = { running: 3, runningPerCaller: 2, tasksPerCaller: 5, waiting: 8 };

interface Task {
  readonly caller: string;
  readonly abort: AbortController;
  readonly gate: PromiseWithResolvers<void>;
  /** The caller had no other task when this one was added. */
  readonly isOnly: boolean;
  state: 'waiting' | 'running' | 'ended' | 'dropped' | 'refused';
  readonly passedBy: Map<string, number>;
}

class QueueRun {
  readonly queue = new FairQueue(LIMITS);
  readonly tasks: Task[] = [];
  readonly started: Task[] = [];

  of(state: Task['state'], caller?: string): Task[] {
    return this.tasks.filter((task) => task.state === state && (caller ?? task.caller) === task.caller);
  }

  liveOf(caller: string): number {
    return this.of('waiting', caller).length + this.of('running', caller).length;
  }

  async add(caller: string, options: { isRefusable?: boolean } = {}): Promise<Task> {
    const task: Task = {
      caller,
      abort: new AbortController(),
      gate: Promise.withResolvers(),
      state: 'waiting',
      isOnly: this.liveOf(caller) === 0,
      passedBy: new Map(),
    };
    this.tasks.push(task);
    const { signal } = task.abort;
    this.queue
      .run(() => this.#start(task), { caller, signal, ...options })
      .catch((error: unknown) => {
        if (error instanceof QueueFullError) task.state = 'refused';
        else if (error === signal.reason) task.state = 'dropped';
      });
    await setImmediate();
    return task;
  }

  async end(task: Task, isFailed = false): Promise<void> {
    task.state = 'ended';
    if (isFailed) task.gate.reject(new Error('failed'));
    else task.gate.resolve();
    await setImmediate();
  }

  async drop(task: Task): Promise<void> {
    task.abort.abort();
    await setImmediate();
  }

  #start(task: Task): Promise<void> {
    task.state = 'running';
    this.started.push(task);
    for (const { caller, passedBy } of this.of('waiting'))
      if (caller !== task.caller) passedBy.set(task.caller, (passedBy.get(task.caller) ?? 0) + 1);
    return task.gate.promise;
  }
}

const callers = fc.constantFrom('a', 'b', 'c', 'd');
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('add' as const), caller: callers }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('end' as const), pick: fc.nat(), isFailed: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), pick: fc.nat() }) },
  ),
  { minLength: 20, maxLength: 120 },
);

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

async function take(run: QueueRun, step: Step): Promise<void> {
  if (step.kind === 'add') {
    const { caller } = step;
    const isFull = run.liveOf(caller) >= LIMITS.tasksPerCaller || run.of('waiting').length >= LIMITS.waiting;
    const { state } = await run.add(caller);
    return void expect(state === 'refused').toBe(isFull);
  }
  const from = step.kind === 'end' ? run.of('running') : [...run.of('waiting'), ...run.of('running')];
  const task = from[step.pick % Math.max(1, from.length)];
  if (task === undefined) return;
  if (step.kind === 'end') await run.end(task, step.isFailed);
  else await run.drop(task);
}

function checkState(run: QueueRun): void {
  const names = [...new Set(run.tasks.map(({ caller }) => caller))];
  const running = run.of('running').length;
  expect(running).toBeLessThanOrEqual(LIMITS.running);
  for (const caller of names) {
    const own = run.of('running', caller).length;
    expect(own).toBeLessThanOrEqual(LIMITS.runningPerCaller);
    expect(run.liveOf(caller)).toBeLessThanOrEqual(LIMITS.tasksPerCaller);
    // No lost wakeup: a task waits only for a limit.
    const isHeld = running === LIMITS.running || own === LIMITS.runningPerCaller;
    expect(isHeld || run.of('waiting', caller).length === 0).toBe(true);
  }
  expect(run.of('waiting').length).toBeLessThanOrEqual(LIMITS.waiting);
  expect(run.queue.callers).toBe(names.filter((caller) => run.liveOf(caller) > 0).length);
}

function checkOrder({ tasks, started }: QueueRun): void {
  for (const one of tasks) {
    const isOwn = ({ caller }: Task) => caller === one.caller;
    expect(started.filter(isOwn)).toEqual(tasks.filter((task) => isOwn(task) && started.includes(task)));
  }
  for (const { isOnly, passedBy } of tasks) {
    if (isOnly) for (const starts of passedBy.values()) expect(starts).toBeLessThanOrEqual(1);
  }
  // What was dropped while it waited, or refused, has never started.
  for (const { state } of started) expect(['running', 'ended']).toContain(state);
}

describe('whatever callers add, end and drop', () => {
  test('limits hold, callers are served round robin, each in its own order, and nothing waits without a reason', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const run = new QueueRun();
        for (const step of all) {
          await take(run, step);
          checkState(run);
        }
        while (run.of('running').length > 0) await run.end(run.of('running')[0] as Task);
        checkOrder(run);
        expect([run.of('waiting').length, run.queue.callers]).toEqual([0, 0]);
      }),
      { numRuns: 150 },
    );
  });
});

test('more than so many waiting tasks in all are refused with another scope', async () => {
  const run = new QueueRun();
  for (let count = 0; count < LIMITS.running + LIMITS.waiting; count += 1) await run.add(`caller ${count}`);
  const more = run.queue.run(async () => {}, { caller: 'one more' });
  await expect(more).rejects.toMatchObject({ name: 'QueueFullError', scope: 'all' });
});

test('a task that is not refusable waits however many others do', async () => {
  const run = new QueueRun();
  for (let count = 0; count < 30; count += 1) await run.add('service', { isRefusable: false });
  expect([run.of('running').length, run.of('waiting').length]).toEqual([2, 28]);
});

test('a task settles as its work does, also when that throws before it returns a promise', async () => {
  const { queue } = new QueueRun();
  expect(await queue.run(async () => 7, { caller: 'a' })).toBe(7);
  const thrown = queue.run(
    () => {
      throw new Error('broken');
    },
    { caller: 'a' },
  );
  await expect(thrown).rejects.toThrow('broken');
  expect(queue.callers).toBe(0);
});

test('the /64s of one IPv6 /48 hold eight times as many as one of them, and give each back once', () => {
  const quota = new ConcurrencyQuota();
  const clientOf = (n: number) => `2001:db8:0:${n}`;
  const held = Array.from({ length: 9 }, (_, n) => [quota.take(clientOf(n), 2), quota.take(clientOf(n), 2)]);
  expect(held.flat().filter((leave) => leave !== null)).toHaveLength(16);
  expect([quota.take(clientOf(0), 2), quota.count(clientOf(0))]).toEqual([null, 2]);
  held[0]?.[0]?.();
  held[0]?.[0]?.();
  expect([quota.count(clientOf(0)), quota.take(clientOf(9), 2), quota.take(clientOf(9), 2)]).toEqual([
    1,
    expect.any(Function),
    null,
  ]);
});
