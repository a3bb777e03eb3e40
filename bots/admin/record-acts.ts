import type { Screen } from '../shared/screen.ts';
import { type Done, type Refusal, screenOf } from './command.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { hideSecrets } from './hide-secrets.ts';

const ARGS_LENGTH = 500;

interface Attempt {
  /** `telegram:123`. */
  readonly by: string;
  readonly command: string;
  readonly args: string;
}

/** An act as it is to be done. */
export interface OperatorAct extends Attempt {
  perform(): Promise<Done | Refusal>;
}

/**
 * Does acts and writes them down. An act is written down before it is done and again after it, so that none can go
 * without a trace: when the first entry cannot be written, nothing is done.
 */
export function createRecorder({ audit, clock, logger }: Pick<ConsoleDeps, 'audit' | 'clock' | 'logger'>) {
  function append({ by, command, args }: Attempt, outcome: string): Promise<void> {
    const [words, came] = [oneLine(args), oneLine(outcome)];
    return audit.append({ at: clock.now(), actor: by, command, args: words, outcome: came });
  }

  async function end(act: Attempt, outcome: string): Promise<void> {
    try {
      await append(act, outcome);
    } catch (error) {
      const { by: actor, command } = act;
      logger.error(
        { err: error, actor, command },
        'how an act of the operator ended is not in the audit log',
      );
    }
  }

  return {
    /** Throws when the log cannot be written; nothing is asked then. */
    asked: (act: Attempt, question: string) => append(act, `asked to confirm: ${question}`),
    cancelled: (act: Attempt) => append(act, 'cancelled'),
    async refused(act: Attempt, why: string): Promise<Screen> {
      await append(act, `refused: ${why}`);
      return refusedScreen(why);
    },
    /** Throws what the act throws, once that is written down. */
    async perform(act: OperatorAct): Promise<Screen> {
      try {
        await append(act, 'begins');
      } catch (error) {
        const { by: actor, command } = act;
        logger.error({ err: error, actor, command }, 'an act was refused: the audit log cannot be written');
        return screenOf('not_recorded', [['Nothing was done: the audit log cannot be written now.']]);
      }
      try {
        const result = await act.perform();
        const isRefused = 'refused' in result;
        await end(act, isRefused ? `refused: ${result.refused}` : `done: ${result.said}`);
        return isRefused ? refusedScreen(result.refused) : result.screen;
      } catch (error) {
        await end(act, 'failed: a part of the service does not answer; it may be done in part');
        throw error;
      }
    },
  };
}

function refusedScreen(why: string): Screen {
  return screenOf('refused', [[why]]);
}

function oneLine(text: string): string {
  const line = hideSecrets(text)
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
    .trim();
  return line.length <= ARGS_LENGTH ? line : `${line.slice(0, ARGS_LENGTH - 1)}…`;
}
