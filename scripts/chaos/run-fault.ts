import { lateAnswers, type Measured, measure, problemsOfAnswers } from './measure.ts';
import type { Stage } from './stage.ts';
import { problemsOf } from './verify.ts';

export class Course {
  readonly struckAt = performance.now();
  /** What is wrong, and what came later than promised, as on a machine that is too busy. */
  readonly problems: string[] = [];
  readonly late: string[] = [];

  check(isRight: boolean, problem: string): void {
    if (!isRight) this.problems.push(problem);
  }
}

export interface Fault<On> {
  readonly name: string;
  /** Connections of probes may fail, since what is asked is killed. */
  readonly mayFail?: boolean;
  strike(on: On, course: Course): Promise<void>;
}

const LOG_SHOWN = 3_000;

export interface FaultResult {
  readonly name: string;
  readonly alerts: number;
  readonly measured: Measured;
  /** Webhooks whose outcome is unknown, so that they are not sent again: since the beginning of the scene. */
  readonly unknownWebhooks: number;
  readonly problems: readonly string[];
  readonly late: readonly string[];
}

/** Lets a fault strike, waits until all has arrived, and compares. A fault whose course fails has its error as a problem. */
export async function runFault<On extends { readonly stage: Stage }>(
  { name, strike, mayFail = false }: Fault<On>,
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
  } catch (error) {
    const logs = [...stage.members.values()].map(
      ({ name: member, output }) => `${member}: ${output.slice(-LOG_SHOWN)}`,
    );
    course.problems.push([error instanceof Error ? error.message : String(error), ...logs].join('\n'));
  }
  const { struckAt, problems, late } = course;
  return { ...{ name, ...result, problems, late }, measured: measure(stage, struckAt) };
}

export function describe({ name, alerts, measured, unknownWebhooks, problems, late }: FaultResult): string {
  const { worstAlertMs, worstAnswerMs, statuses } = measured;
  const counted = [...statuses].map(([status, count]) => `${count}×${status || 'cut'}`).join(' ');
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return [
    `${name}: ${[...problems, ...late].join('; ') || 'held'}`,
    `${alerts} alerts, ${seconds(worstAlertMs)} from trade to alert`,
    `REST ${seconds(worstAnswerMs)}: ${counted}`,
    `${unknownWebhooks} webhooks unknown`,
  ].join('; ');
}
