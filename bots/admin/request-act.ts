import type { CommandNeed } from '../../src/core/operations/operator-request.ts';
import type { RequestSender } from '../../src/core/operations/request-sender.ts';
import type { Screen } from '../shared/screen.ts';
import { screenOf } from './command.ts';
import type { ActRecorder, Attempt } from './record-acts.ts';

interface RequestedAct extends Attempt {
  readonly needs: CommandNeed;
}

/** Has another process carry out a confirmed act; that process records it. */
export async function requestAct(
  requests: Pick<RequestSender, 'send'>,
  recorder: ActRecorder,
  act: RequestedAct,
): Promise<Screen> {
  const { by: actor, command, args, needs } = act;
  const result = await requests.send({ needs, command, args, actor });
  switch (result.outcome) {
    case 'done':
      return screenOf('done', [[result.answer]]);
    case 'refused':
      return screenOf('refused', [[result.answer]]);
    case 'no_process':
      return recorder.refused(act, NO_PROCESS[needs]);
    case 'not_taken':
      return recorder.refused(
        act,
        `Nothing was done: no process with the ${needs} took it within 30 s. It will not be done later.`,
      );
    case 'no_answer':
      await recorder.unanswered(act, 'the outcome follows from the process that took it');
      return screenOf('refused', [
        ['It was taken but has not ended after 30 s. Its outcome appears in ', { code: 'audit' }, '.'],
      ]);
  }
}

const NO_PROCESS: Readonly<Record<CommandNeed, string>> = {
  bots: 'Nothing was done: no process with the bots runs on this database. Start the service with a bot token and the role bots.',
  jobs: 'Nothing was done: no process with the jobs runs on this database. Start the service with the role jobs.',
};
