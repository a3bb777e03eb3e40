import { type Screen, shortened } from '../shared/screen.ts';
import { type Done, type Refusal, screenOf } from './command.ts';
import type { ConsoleDeps } from './console-deps.ts';

const ARGS_LENGTH = 500;

export interface Attempt {
  /** `telegram:123`. */
  readonly by: string;
  readonly command: string;
  readonly args: string;
  /** Texts that name a person: outcomes are recorded without them. */
  readonly personal?: readonly string[];
}

/** An act with its work. */
export interface OperatorAct extends Attempt {
  perform(): Promise<Done | Refusal>;
}

/**
 * Performs acts and records them in the audit log, before and after, so that every act leaves a trace: when the first entry
 * cannot be written, the act is not performed.
 */
export class ActRecorder {
  readonly #deps: Pick<ConsoleDeps, 'audit' | 'clock' | 'logger'>;

  constructor(deps: Pick<ConsoleDeps, 'audit' | 'clock' | 'logger'>) {
    this.#deps = deps;
  }

  /** Throws when the log is unavailable; no question is asked then. */
  asked(act: Attempt, question: string): Promise<void> {
    return this.#append(act, `asked to confirm: ${question}`);
  }

  cancelled(act: Attempt): Promise<void> {
    return this.#append(act, 'cancelled');
  }

  /** The act was sent to another process, which did not answer in time and records what becomes of it. */
  unanswered(act: Attempt, why: string): Promise<void> {
    return this.#append(act, `no answer: ${why}`);
  }

  async refused(act: Attempt, why: string): Promise<Screen> {
    await this.#append(act, `refused: ${why}`);
    return refusedScreen(why);
  }

  /** Throws what the act throws, after recording it. */
  async perform(act: OperatorAct): Promise<Screen> {
    try {
      await this.#append(act, 'begins');
    } catch (error) {
      this.#logFailure(act, error, 'operator act refused: the audit log is unavailable');
      return screenOf('not_recorded', [['Nothing was done: the audit log cannot be written now.']]);
    }
    try {
      const result = await act.perform();
      const isRefused = 'refused' in result;
      await this.#end(act, isRefused ? `refused: ${result.refused}` : `done: ${result.said}`);
      return isRefused ? refusedScreen(result.refused) : result.screen;
    } catch (error) {
      await this.#end(act, 'failed: a part of the service does not answer; it may be done in part');
      throw error;
    }
  }

  #append({ by, command, args, personal = [] }: Attempt, said: string): Promise<void> {
    const { audit, clock } = this.#deps;
    const at = clock.now();
    const outcome = personal.reduce((text, name) => text.replaceAll(name, '…'), said);
    return audit.append({ at, actor: by, command, args: oneLine(args), outcome: oneLine(outcome) });
  }

  async #end(act: Attempt, outcome: string): Promise<void> {
    await this.#append(act, outcome).catch((error: unknown) =>
      this.#logFailure(act, error, 'outcome of an operator act lost: the audit log is unavailable'),
    );
  }

  #logFailure({ by: actor, command }: Attempt, error: unknown, message: string): void {
    this.#deps.logger.error({ err: error, actor, command }, message);
  }
}

function refusedScreen(why: string): Screen {
  return screenOf('refused', [[why]]);
}

function oneLine(text: string): string {
  const line = hideSecrets(text).replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ');
  return shortened(line.trim(), ARGS_LENGTH);
}

/** Keys beyond their lookup part; tokens of Telegram and Discord, secrets of webhooks. */
const KEYS = /(sk_live_[\w-]{10})[\w-]+/g;
const TOKENS = [
  /(?<!\d)\d{6,12}:[\w-]{30,}/g,
  /(?<![\w-])[\w-]{23,30}\.[\w-]{6,7}\.[\w-]{27,}/g,
  /whsec_[\w+/=-]+/g,
];

/** The text without secrets: keys are cut to their lookup part, tokens and webhook secrets are replaced. */
export function hideSecrets(text: string): string {
  return TOKENS.reduce((hidden, token) => hidden.replace(token, '[hidden]'), text.replace(KEYS, '$1'));
}
