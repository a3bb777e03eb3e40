import type { Clock } from '../../src/core/clock.ts';
import { MINUTE_MS } from '../../src/core/duration.ts';
import type { RandomText } from '../../src/core/random-text.ts';
import type { Actor, AdminConsole } from '../shared/admin-console.ts';
import type { Move } from '../shared/conversation.ts';
import { plainText, type Screen } from '../shared/screen.ts';
import { type ActCommand, type ConsoleCommand, screenOf } from './command.ts';
import { consoleCommands } from './commands/table.ts';
import type { ConsoleDeps, OperatorId } from './console-deps.ts';
import { ActRecorder, hideSecrets, type OperatorAct } from './record-acts.ts';

/**
 * The operator's console. It never sees a whole key: keys in the input are cut to their lookup part first. Anybody who is
 * no operator gets null for every input, and nothing is recorded.
 */
export class OperatorConsole implements AdminConsole {
  readonly commands: AdminConsole['commands'];
  readonly #deps: ConsoleDeps;
  readonly #commands = new Map(consoleCommands().map((command) => [command.name, command]));
  readonly #pending: PendingActs<OperatorAct>;
  readonly #recorder: ActRecorder;

  constructor(deps: ConsoleDeps) {
    this.#deps = deps;
    const { random, clock, audit, logger } = deps;
    this.#pending = new PendingActs(random, clock);
    this.#recorder = new ActRecorder({ audit, clock, logger });
    this.commands = [...this.#commands.values()].map(({ name, usage, description }) => ({
      name,
      description,
      argument: argumentOf(usage),
    }));
  }

  isAdmin(actor: Actor): boolean {
    return isAdmin(this.#deps.adminIds, actor);
  }

  async move(actor: Actor, move: Move): Promise<Screen | null> {
    if (!this.isAdmin(actor)) return null;
    const by = `${actor.platform}:${actor.userId}`;
    const asked = askedBy(move);
    if (asked === null) return null;
    try {
      return 'token' in asked ? await this.#settle(by, asked) : await this.#run(by, asked);
    } catch (error) {
      const command = 'token' in asked ? asked.answer : asked.name;
      this.#deps.logger.error({ err: error, actor: by, command }, 'operator command failed');
      return SORRY;
    }
  }

  async #run(by: string, { name, argument }: CommandLine): Promise<Screen | null> {
    const command = this.#commands.get(name);
    if (command === undefined) return null;
    const args = hideSecrets(argument).trim();
    if (command.kind === 'act') return this.#begin(by, command, args);
    const parsed = command.parse(args);
    return parsed.ok ? parsed.work(this.#deps) : badArguments(command, parsed.wrong);
  }

  async #begin(by: string, command: ActCommand, args: string): Promise<Screen> {
    const parsed = command.parse(args);
    if (!parsed.ok) return badArguments(command, parsed.wrong);
    const plan = await parsed.work(this.#deps, by);
    const attempt = { by, command: command.name, args };
    if ('refused' in plan) return this.#recorder.refused(attempt, plan.refused);
    const act = { ...attempt, perform: plan.act };
    const { question } = plan;
    if (question === null) return this.#recorder.perform(act);
    await this.#recorder.asked(act, plainText(question));
    const token = this.#pending.add(by, act);
    return screenOf('confirm', question.body, [
      [{ label: question.yes, action: `admin:confirm:${token}` }],
      [{ label: 'Cancel', action: `admin:cancel:${token}` }],
    ]);
  }

  async #settle(by: string, { answer, token }: Answer): Promise<Screen> {
    const act = this.#pending.take(by, token);
    if (act === null) return NOTHING_WAITS;
    if (answer === 'confirm') return this.#recorder.perform(act);
    await this.#recorder.cancelled(act);
    return screenOf('cancelled', [[`Nothing was done: ${act.command} is cancelled.`]]);
  }
}

const NOTHING_WAITS = screenOf('nothing_waits', [
  [
    'No question waits for this answer. It was answered already, is older than 5 minutes, or belongs to another admin.',
  ],
  ['Nothing was done now. Repeat the command if you still want it.'],
]);

const SORRY = screenOf('sorry', [
  ['That failed: a part of the service does not answer. The log has the details.'],
  ['If it was a change, ', { code: 'audit' }, ' shows how far it got.'],
]);

interface CommandLine {
  readonly name: string;
  readonly argument: string;
}

type Answer = { readonly answer: 'confirm' | 'cancel'; readonly token: string };

function askedBy(move: Move): CommandLine | Answer | null {
  if (move.kind === 'command') return { name: move.name.toLowerCase(), argument: move.argument };
  if (move.kind === 'text') return null;
  const [, kind, rest = ''] = /^admin:(do|confirm|cancel):(.+)$/s.exec(move.action) ?? [];
  if (kind === undefined) return null;
  if (kind !== 'do') return { answer: kind as Answer['answer'], token: rest };
  const [name = '', ...words] = rest.split(' ');
  return { name, argument: words.join(' ') };
}

/** The actor of a terminal has access to the database, and so to all of this. */
function isAdmin(adminIds: readonly OperatorId[], { platform, userId, roleIds }: Actor): boolean {
  if (platform === 'terminal') return true;
  return adminIds.some(
    (admin) =>
      (admin.platform === platform && admin.id === userId) ||
      (admin.platform === 'discord-role' && platform === 'discord' && roleIds.includes(admin.id)),
  );
}

function badArguments({ usage, description }: ConsoleCommand, wrong: string): Screen {
  return screenOf('bad_arguments', [[wrong], ['Usage: ', { code: usage }], [description]]);
}

function argumentOf(usage: string) {
  const [, ...rest] = usage.split(' ');
  return rest.length === 0 ? null : { name: 'arguments', description: rest.join(' ') };
}

/** A question to the operator expires after this time. */
const CONFIRM_WITHIN_MS = 5 * MINUTE_MS;
const MAX = 100;
const TOKEN_BYTES = 12;

interface Waiting<Act> {
  readonly by: string;
  readonly until: number;
  readonly act: Act;
}

/** Acts that wait for the confirmation of their operator. At most 100; the oldest are dropped. */
class PendingActs<Act> {
  readonly #random: RandomText;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #waiting = new Map<string, Waiting<Act>>();

  constructor(random: RandomText, clock: Pick<Clock, 'now'>) {
    this.#random = random;
    this.#clock = clock;
  }

  /** Returns the token of the confirmation. */
  add(by: string, act: Act): string {
    const now = this.#clock.now();
    this.#dropOld(now);
    const token = this.#random.base64url(TOKEN_BYTES);
    this.#waiting.set(token, { by, until: now + CONFIRM_WITHIN_MS, act });
    return token;
  }

  /** Returns the act once, to its operator only; null otherwise. */
  take(by: string, token: string): Act | null {
    const found = this.#waiting.get(token);
    if (found === undefined || found.by !== by) return null;
    this.#waiting.delete(token);
    return found.until > this.#clock.now() ? found.act : null;
  }

  #dropOld(now: number): void {
    for (const [token, { until }] of this.#waiting) {
      if (until > now && this.#waiting.size < MAX) return;
      this.#waiting.delete(token);
    }
  }
}
