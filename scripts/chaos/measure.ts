import { tradeOf } from '../support/chaos-tape.ts';
import type { Answer } from './probes.ts';
import type { Stage } from './stage.ts';

/** Promised are 5 s and 2 s (docs/operation.md); a busy machine may take a second more. */
export const ANSWER_MS = 6_000;
const PROBE_MS = 3_000;

export interface Measured {
  readonly worstAlertMs: number;
  readonly worstAnswerMs: number;
  /** How many answers had each status; 0 is a connection that failed. */
  readonly statuses: ReadonlyMap<number, number>;
}

export function measure(stage: Stage, from: number): Measured {
  const answers = answersSince(stage, from).filter(isRest);
  return {
    worstAlertMs: Math.max(0, ...alertTimes(stage, from)),
    worstAnswerMs: Math.max(0, ...answers.map(({ ms }) => ms)),
    statuses: countBy(answers.map(({ status }) => status)),
  };
}

export function problemsOfAnswers(stage: Stage, from: number, { mayFail }: { mayFail: boolean }): string[] {
  const answers = answersSince(stage, from);
  const isAllowed = ({ status }: Answer) => status === 200 || status === 503 || (status === 0 && mayFail);
  const wrong = answers.filter((answer) => !isAllowed(answer));
  const counts = countBy(wrong.map(({ status, route }) => `${status} of ${route.replace(/\?.*/, '')}`));
  const bare = answers.filter((answer) => answer.status === 503 && isRest(answer) && !answer.hasRetryAfter);
  return [
    ...[...counts].map(([what, count]) => `${count} times ${what}`),
    ...(bare.length === 0 ? [] : [`${bare.length} answers 503 without Retry-After`]),
  ];
}

export function lateAnswers(stage: Stage, from: number): string[] {
  const limitOf = (answer: Answer) => (isRest(answer) ? ANSWER_MS : PROBE_MS);
  const late = answersSince(stage, from).filter((answer) => answer.ms > limitOf(answer));
  const latest = Math.round(Math.max(...late.map(({ ms }) => ms)));
  return late.length === 0 ? [] : [`${late.length} late answers, ${latest} ms the latest`];
}

function answersSince({ probes }: Stage, from: number): Answer[] {
  return probes.answers.filter(({ askedAt, ms }) => askedAt + ms >= from);
}

function isRest({ route }: Answer): boolean {
  return route.startsWith('/api/');
}

function alertTimes({ streams, tape, options }: Stage, from: number): number[] {
  const received = streams[0]?.received ?? [];
  return received
    .filter(({ at }) => at >= from)
    .flatMap(({ id, at }) => {
      const alert = options.expected[id - 1];
      const writtenAt = alert === undefined ? undefined : tape.writtenAt[tradeOf(alert)];
      return writtenAt === undefined ? [] : at - writtenAt;
    });
}

function countBy<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
