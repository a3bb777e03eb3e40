import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { eachCall } from '../each-call.ts';
import type { openChatEngineFixture } from './chat-engine-fixture.ts';

/** The process dies at the call of this number, which is still carried out, or not. */
export interface Kill {
  readonly after: number;
  readonly isLastDone: boolean;
}

/**
 * A process that is killed in the middle: the calls of its stores count, and so do those of its platforms. From the kill on
 * no call returns, and none is carried out.
 */
export function createKillableProcess(kill: Kill | null, onKilled: () => void) {
  let calls = 0;

  async function run<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    calls += 1;
    if (kill === null || calls < kill.after) {
      const answer = await call();
      // Killed meanwhile by another call.
      return kill !== null && calls >= kill.after ? never() : answer;
    }
    if (calls > kill.after) return never();
    // Also when it fails: nobody is left to hear of it.
    if (kill.isLastDone) await call().catch(() => {});
    onKilled();
    return never();
  }

  return { wrap: <Subject extends object>(subject: Subject): Subject => eachCall(subject, run) };
}

/** Calls of stores, and both ends of the calls of platforms, count together. */
export function killsWithin(calls: number): fc.Arbitrary<readonly Kill[]> {
  return fc.array(fc.record({ after: fc.integer({ min: 1, max: calls }), isLastDone: fc.boolean() }), {
    maxLength: 3,
  });
}

/** A call of a store that fails: before it takes effect, or after. */
export interface StoreFault {
  readonly at: number;
  readonly isDone: boolean;
}

export function storeFaultsWithin(calls: number): fc.Arbitrary<readonly StoreFault[]> {
  return fc.array(fc.record({ at: fc.integer({ min: 1, max: calls }), isDone: fc.boolean() }), {
    maxLength: 3,
  });
}

/** A store of which some of these calls fail, while the process lives on. */
export function unsteady<Store extends object>(
  store: Store,
  names: readonly (keyof Store & string)[],
  faults: readonly StoreFault[],
): Store {
  let calls = 0;
  return eachCall(store, async (call, name) => {
    if (!names.some((known) => known === name)) return call();
    calls += 1;
    const number = calls;
    const fault = faults.find(({ at }) => at === number);
    if (fault?.isDone === false) throw new Error('the store is away');
    const answer = await call();
    if (fault !== undefined) throw new Error('no answer of the store');
    return answer;
  });
}

interface Life {
  readonly owner: string;
  readonly wrap: <Subject extends object>(subject: Subject) => Subject;
}

/** Processes that follow each other, each killed as the plan says, and the last one never. */
export function startLives(plan: readonly Kill[], begin: (life: Life) => void): void {
  const live = (number: number) => {
    const owner = `life ${number}`;
    const { wrap } = createKillableProcess(plan[number] ?? null, () => {
      live(number + 1);
    });
    begin({ owner, wrap });
  };
  live(0);
}

/** Lets time pass, `from` at least, until nothing waits any more. A database may be slower than the clock. */
export async function passUntilIdle(
  { store, pass, clock }: Awaited<ReturnType<typeof openChatEngineFixture>>,
  from = clock.now(),
): Promise<void> {
  for (let passed = 0; passed < 6 * HOUR_MS; passed += MINUTE_MS) {
    await pass(MINUTE_MS, 5_000);
    if (clock.now() < from) continue;
    // Twice: a count of MongoDB may miss a message whose state changes meanwhile.
    const left = [await store.counts(0), await store.counts(0)];
    if (left.every(({ pending, sending }) => pending + sending === 0)) return;
  }
}

function never(): Promise<never> {
  return new Promise<never>(() => {});
}
