import { isDeepStrictEqual } from 'node:util';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { alertJson } from '../../src/http/views/alert-view.ts';
import type { ReplicaSet } from '../../test/support/mongod/replica-set.ts';
import { contentOf } from '../support/chaos-tape.ts';
import type { SentAlert } from './consumers.ts';
import { lateAnswers, type Measured, measure, problemsOfAnswers } from './measure.ts';
import type { Stage } from './stage.ts';

export class Course {
  readonly struckAt = performance.now();
  readonly problems: string[] = [];
  readonly late: string[] = [];

  check(isRight: boolean, problem: string): void {
    if (!isRight) this.problems.push(problem);
  }
}

export interface Scene {
  readonly stage: Stage;
  readonly set: ReplicaSet;
}

export interface Fault {
  readonly name: string;
  /** Connections of probes may fail, since what is asked is killed. */
  readonly mayFail?: boolean;
  strike(scene: Scene, course: Course): Promise<void>;
}

const LOG_SHOWN = 3_000;

interface FaultResult {
  readonly name: string;
  readonly alerts: number;
  readonly measured: Measured;
  /** Webhooks whose outcome is unknown, so that they are not sent again: since the beginning of the scene. */
  readonly unknownWebhooks: number;
  readonly problems: readonly string[];
  readonly late: readonly string[];
}

/** Lets a fault strike, waits until all has arrived, and compares. A fault whose course fails has its error as a problem. */
export async function runFault({ name, strike, mayFail = false }: Fault, scene: Scene): Promise<FaultResult> {
  const { stage } = scene;
  let course = new Course();
  const result = { alerts: 0, unknownWebhooks: 0 };
  try {
    // What came before was caught up with.
    await stage.settled();
    course = new Course();
    await strike(scene, course);
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

function problemsOf(stage: Stage, ledger: readonly Alert[], target: number): string[] {
  return [
    ...problemsOfLedger(stage, ledger, target),
    ...stage.streams.flatMap(({ received }, n) =>
      problemsOfSent(`stream ${n + 1}`, received, { ledger, isOrdered: true }),
    ),
    ...problemsOfSent('webhook', stage.webhook.received, { ledger, isOrdered: false }),
    ...repeated(
      'webhook ids',
      stage.webhook.received.map(({ webhookId }) => webhookId),
    ),
  ];
}

function problemsOfLedger({ options }: Stage, ledger: readonly Alert[], target: number): string[] {
  const expected = options.expected.slice(0, ledger.length);
  const unlike = ledger.filter((alert, index) => !isDeepStrictEqual(contentOf(alert), expected[index]));
  const isDense = ledger.every(({ id }, index) => id === index + 1);
  const isMonotone = ledger.every(({ createdAt }, index) => createdAt >= (ledger[index - 1]?.createdAt ?? 0));
  return [
    ...(ledger.length < target ? [`${target - ledger.length} alerts lost`] : []),
    ...(isDense ? [] : ['ids are not dense']),
    ...(isMonotone ? [] : ['created_at decreases']),
    ...repeated(
      'keys',
      ledger.map(({ key }) => key),
    ),
    ...(unlike.length === 0
      ? []
      : [`${unlike.length} alerts unlike the undisturbed run, from ${unlike[0]?.id}`]),
  ];
}

interface Against {
  readonly ledger: readonly Alert[];
  /** Each id of the stream is the one before plus one. */
  readonly isOrdered: boolean;
}

function problemsOfSent(name: string, sent: readonly SentAlert[], { ledger, isOrdered }: Against): string[] {
  const isDense = sent.every(({ id }, index) => id === index + 1);
  // The ledger was read before the last ones came.
  const unlike = sent.filter(({ id, body }) => {
    const alert = ledger[id - 1];
    return alert !== undefined && !isDeepStrictEqual(body, JSON.parse(alertJson(alert)));
  });
  return [
    ...(isOrdered && !isDense ? [`${name}: ids are not each once and in order`] : []),
    ...repeated(
      `ids of the ${name}`,
      sent.map(({ id }) => id),
    ),
    ...(unlike.length === 0 ? [] : [`${name}: ${unlike.length} alerts unlike the ledger`]),
  ];
}

function repeated(what: string, values: readonly unknown[]): string[] {
  const count = values.length - new Set(values).size;
  return count === 0 ? [] : [`${count} ${what} twice`];
}
