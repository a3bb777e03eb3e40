import { cutText } from '../../src/core/base/text/formats.ts';
import type { Screen } from '../shared/screen.ts';
import { type PlannedAct, screenOf } from './command.ts';
import type { ConsoleDeps } from './console-deps.ts';

const ARGS_LENGTH = 500;

export interface Attempt {
  readonly by: string;
  readonly command: string;
  readonly args: string;
  readonly personal?: readonly string[];
}

/** Performs acts and records them before and after; without the first entry no act is performed. */
export class ActRecorder {
  readonly #deps: Pick<ConsoleDeps, 'database' | 'clock' | 'logger'>;

  constructor(deps: Pick<ConsoleDeps, 'database' | 'clock' | 'logger'>) {
    this.#deps = deps;
  }

  /** Throws when the log is unavailable. */
  append({ by, command, args, personal = [] }: Attempt, said: string): Promise<void> {
    const { database, clock } = this.#deps;
    const outcome = personal.reduce((text, name) => text.replaceAll(name, '…'), said);
    const entry = { at: clock.now(), actor: by, command, args: oneLine(args), outcome: oneLine(outcome) };
    return database.audit.append(entry);
  }

  async refused(attempt: Attempt, why: string): Promise<Screen> {
    await this.append(attempt, `refused: ${why}`);
    return screenOf('refused', [[why]]);
  }

  /** Throws what the act throws, after recording it. */
  async perform(attempt: Attempt, act: PlannedAct['act']): Promise<Screen> {
    try {
      await this.append(attempt, 'begins');
    } catch (error) {
      this.#logFailure(attempt, error, 'operator act refused: the audit log is unavailable');
      return screenOf('not_recorded', [['Nothing was done: the audit log cannot be written now.']]);
    }
    try {
      const result = await act();
      const isRefused = 'refused' in result;
      await this.#end(attempt, isRefused ? `refused: ${result.refused}` : `done: ${result.said}`);
      return isRefused ? screenOf('refused', [[result.refused]]) : result.screen;
    } catch (error) {
      await this.#end(attempt, 'failed: a part of the service does not answer; it may be done in part');
      throw error;
    }
  }

  async #end(attempt: Attempt, outcome: string): Promise<void> {
    await this.append(attempt, outcome).catch((error: unknown) =>
      this.#logFailure(attempt, error, 'outcome of an operator act lost: the audit log is unavailable'),
    );
  }

  #logFailure({ by: actor, command }: Attempt, error: unknown, message: string): void {
    this.#deps.logger.error({ err: error, actor, command }, message);
  }
}

function oneLine(text: string): string {
  const line = hideSecrets(text).replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ');
  return cutText(line.trim(), ARGS_LENGTH);
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
