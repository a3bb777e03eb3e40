import { repeatUntil } from '../../core/async/repeat-until.ts';
import type { Clock } from '../../core/clock.ts';
import { SECOND_MS } from '../../core/duration.ts';

const ATTEMPTS = 3;
const INTERVAL_MS = 2 * SECOND_MS;

/** Asks up to three times, 2 s apart, until the answer is as expected: the service may show an entry late. The last answer. */
export async function untilVisible<Answer>(
  clock: Pick<Clock, 'sleep'>,
  ask: () => Promise<Answer>,
  isExpected: (answer: Answer) => boolean,
): Promise<Answer> {
  const answers: Answer[] = [];
  const attempt = async () => {
    const answer = await ask();
    return answers.push(answer) === ATTEMPTS || isExpected(answer);
  };
  await repeatUntil(attempt, { clock, intervalMs: INTERVAL_MS });
  return answers.at(-1) as Answer;
}
