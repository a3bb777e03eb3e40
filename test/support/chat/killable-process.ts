import { eachCall } from '../each-call.ts';

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
    if (kill.isLastDone) await call();
    onKilled();
    return never();
  }

  return { wrap: <Subject extends object>(subject: Subject): Subject => eachCall(subject, run) };
}

function never(): Promise<never> {
  return new Promise<never>(() => {});
}
