import { lateAnswers, type Measured, measure, problemsOfAnswers } from './measure.ts';
import type { Answer } from './probes.ts';
import type { Stage } from './stage.ts';
import { problemsOf } from './verify.ts';

/** What a fault reports of its course; moments by `performance.now()`. */
export class Course {
  readonly struckAt = performance.now();
  /** From when on the service can be as it was: another primary was elected, or the fault was taken back. */
  endedAt: number | null = null;
  readonly others: Answer[] = [];
  /** What is wrong, and what came later than promised, as on a machine that is too busy. */
  readonly problems: string[] = [];
  readonly late: string[] = [];

  ended(): void {
    this.endedAt = performance.now();
  }

  check(isRight: boolean, problem: string): void {
    if (!isRight) this.problems.push(problem);
  }
}

export interface Fault<On> {
  readonly name: string;
  /** Connections of probes may fail, since what is asked is killed. */
  readonly mayFail?: boolean;
  /** Nothing can be compared afterwards, since the database is lost. */
  readonly isTheEnd?: boolean;
  strike(on: On, course: Course): Promise<void>;
}

/** Characters of each process' log that a failure shows. */
const LOG_SHOWN = 3_000;

export interface FaultResult {
  readonly name: string;
  readonly alerts: number;
  readonly measured: Measured;
  /** From the beginning of the fault until it ended, and from then on until every answer was as usual. */
  readonly lastedMs: number;
  readonly normalAfterMs: number;
  /** Webhooks whose outcome is unknown, so that they are not sent again: since the beginning of the scene. */
  readonly unknownWebhooks: number;
  readonly problems: readonly string[];
  readonly late: readonly string[];
}

/** Lets a fault strike, waits until all has arrived, and compares. A fault whose course fails has its error as a problem. */
export async function runFault<On extends { readonly stage: Stage }>(
  { name, strike, mayFail = false, isTheEnd = false }: Fault<On>,
  on: On,
): Promise<FaultResult> {
  const { stage } = on;
  let course = new Course();
  const result = { alerts: 0, unknownWebhooks: 0 };
  try {
    // What came before was caught up with.
    await stage.settled();
    course = new Course();
    await strike(on, course);
    course.endedAt ??= performance.now();
    if (!isTheEnd) {
      const { ledger, target, undelivered } = await stage.settled();
      const isUnknown = (state: string) => state === 'unknown';
      Object.assign(result, { alerts: ledger.length, unknownWebhooks: undelivered.filter(isUnknown).length });
      // Some may have arrived meanwhile.
      const others = undelivered.filter((state) => state !== 'delivered' && !isUnknown(state));
      if (others.length > 0) course.late.push(`webhooks not delivered: ${others}`);
      course.problems.push(...problemsOf(stage, ledger, target));
      course.problems.push(...problemsOfAnswers(stage, course.struckAt, { mayFail }));
      const ended = [...stage.members.values()].filter(({ isRunning }) => !isRunning);
      for (const { name: member, output } of ended)
        course.problems.push(`${member} ended: ${output.slice(-200)}`);
      course.late.push(...lateAnswers(stage, course.struckAt));
    }
  } catch (error) {
    const logs = [...stage.members.values()].map(
      ({ name: member, output }) => `${member}: ${output.slice(-LOG_SHOWN)}`,
    );
    course.problems.push([error instanceof Error ? error.message : String(error), ...logs].join('\n'));
  }
  const { struckAt, others } = course;
  const endedAt = course.endedAt ?? performance.now();
  const measured = measure(stage, struckAt, others);
  return {
    ...{ name, measured, ...result, problems: course.problems, late: course.late },
    lastedMs: endedAt - struckAt,
    normalAfterMs: Math.max(0, (measured.disturbedUntil ?? 0) - endedAt),
  };
}
