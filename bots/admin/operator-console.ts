import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type {
  CommandNeed,
  OperatorRequest,
  RequestSender,
} from '../../src/core/operations/operator-request.ts';
import type { RequestAnswer } from '../../src/core/operations/serve-requests.ts';
import type { Actor, AdminConsole } from '../shared/admin-console.ts';
import type { ChatCommand, Move } from '../shared/conversation.ts';
import { plainText, type Screen } from '../shared/screen.ts';
import { type ActCommand, type ConsoleCommand, prefixFor, screenOf, type Wrong } from './command.ts';
import { consoleCommands } from './commands/table.ts';
import type { ConsoleDeps, OperatorId } from './console-deps.ts';
import { ActRecorder, type Attempt, hideSecrets, type OperatorAct } from './record-acts.ts';

/** A question to the operator expires after 5 minutes. An LRU cache keeps an entry for its `ttl`, inclusive. */
const CONFIRM_TTL_MS = 5 * MINUTE_MS - 1;
/** Questions that wait; the oldest are dropped. */
const MAX = 100;
const TOKEN_BYTES = 12;
/** Lists the other commands, and runs one of them: `/admin find @ann`. */
const ADMIN: ChatCommand = {
  name: 'admin',
  description: 'The operator’s commands',
  argument: { name: 'command', description: 'For example: find @ann' },
};

/**
 * The operator's console. It never sees a whole key: keys in the input are cut to their lookup part first. Anybody who is
 * no operator gets null for every input, and nothing is recorded.
 */
export class OperatorConsole implements AdminConsole {
  readonly commands: AdminConsole['commands'];
  readonly #deps: ConsoleDeps;
  readonly #commands = new Map(consoleCommands().map((command) => [command.name, command]));
  /** Acts that wait for the confirmation of their operator, by token. */
  readonly #pending: LRUCache<string, PlannedAct>;
  readonly #recorder: ActRecorder;

  constructor(deps: ConsoleDeps) {
    this.#deps = deps;
    this.#pending = new LRUCache({ max: MAX, ttl: CONFIRM_TTL_MS, ttlResolution: 0, perf: deps.clock });
    this.#recorder = new ActRecorder(deps);
    const commands = [...this.#commands.values()].map(({ name, usage, description }) => ({
      name,
      description,
      argument: argumentOf(usage),
    }));
    this.commands = [ADMIN, ...commands];
  }

  isOperator(actor: Actor): boolean {
    return isAdmin(this.#deps.adminIds, actor);
  }

  async move(actor: Actor, move: Move): Promise<Screen | null> {
    if (!this.isOperator(actor)) return null;
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

  /** Carries out a confirmed act for an operator of another process; recorded like an own one. */
  async obey({ command: name, args, actor: by }: OperatorRequest): Promise<RequestAnswer> {
    const command = this.#commands.get(name);
    if (command?.kind !== 'act') return { state: 'refused', answer: `${name} is not known here.` };
    const parsed = command.parse(args);
    if ('wrong' in parsed) return { state: 'refused', answer: parsed.wrong };
    const plan = await parsed(this.#deps, by);
    const attempt = { by, command: name, args };
    const screen =
      'refused' in plan
        ? await this.#recorder.refused(attempt, plan.refused)
        : await this.#recorder.perform({ ...attempt, perform: plan.act });
    return { state: screen.name === 'admin_done' ? 'done' : 'refused', answer: plainText(screen) };
  }

  async #run(by: string, { name, argument }: CommandLine): Promise<Screen | null> {
    const command = this.#commands.get(name);
    if (command === undefined) return null;
    const args = hideSecrets(argument).trim();
    if (command.kind === 'act') return this.#begin(by, command, args);
    const parsed = command.parse(args);
    return 'wrong' in parsed ? badArguments(command, parsed, by) : parsed(this.#deps, by);
  }

  async #begin(by: string, command: ActCommand, args: string): Promise<Screen> {
    const parsed = command.parse(args);
    if ('wrong' in parsed) return badArguments(command, parsed, by);
    const plan = await parsed(this.#deps, by);
    const recorded = { args: plan.args ?? args, personal: plan.personal ?? [] };
    const attempt = { by, command: command.name, ...recorded };
    if ('refused' in plan) return this.#recorder.refused(attempt, plan.refused);
    const { question = null, needs = null } = plan;
    const act = { ...attempt, needs, perform: plan.act };
    if (question === null) return this.#perform(act);
    await this.#recorder.asked(act, plainText(question));
    const token = this.#deps.random.base64url(TOKEN_BYTES);
    this.#pending.set(token, act);
    return screenOf('confirm', question.body, [
      [{ label: question.yes, action: `admin:confirm:${token}` }],
      [{ label: 'Cancel', action: `admin:cancel:${token}` }],
    ]);
  }

  #perform(act: PlannedAct): Promise<Screen> {
    const { needs } = act;
    if (needs === null || this.#deps.serves.includes(needs)) return this.#recorder.perform(act);
    return requestAct(this.#deps.requests, this.#recorder, { ...act, needs });
  }

  async #settle(by: string, { answer, token }: Answer): Promise<Screen> {
    const act = this.#pending.peek(token);
    if (act?.by !== by) return NOTHING_WAITS;
    this.#pending.delete(token);
    if (answer === 'confirm') return this.#perform(act);
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

interface PlannedAct extends OperatorAct {
  readonly needs: CommandNeed | null;
}

interface CommandLine {
  readonly name: string;
  readonly argument: string;
}

type Answer = { readonly answer: 'confirm' | 'cancel'; readonly token: string };

function askedBy(move: Move): CommandLine | Answer | null {
  if (move.kind === 'command') return typedCommand(move.name.toLowerCase(), move.argument);
  if (move.kind !== 'tap') return null;
  const [, kind, rest = ''] = /^admin:(do|confirm|cancel):(.+)$/s.exec(move.action) ?? [];
  if (kind === undefined) return null;
  if (kind !== 'do') return { answer: kind as Answer['answer'], token: rest };
  const [name = '', ...words] = rest.split(' ');
  return { name, argument: words.join(' ') };
}

/** `/admin find @ann` is `/find @ann`; `/admin` alone, which on Discord has no name, lists the commands. */
function typedCommand(typed: string, argument: string): CommandLine {
  if (typed === '') return { name: 'help', argument: '' };
  if (typed !== ADMIN.name) return { name: typed, argument };
  const [, name = '', rest = ''] = /^\/?(\S*)\s*(.*)$/s.exec(argument.trim()) ?? [];
  return { name: name === '' ? 'help' : name.toLowerCase(), argument: rest };
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

function badArguments({ usage, description }: ConsoleCommand, { wrong }: Wrong, by: string): Screen {
  return screenOf('bad_arguments', [[wrong], ['Usage: ', { code: prefixFor(by) + usage }], [description]]);
}

function argumentOf(usage: string) {
  const [, ...rest] = usage.split(' ');
  return rest.length === 0 ? null : { name: 'arguments', description: rest.join(' ') };
}

interface RequestedAct extends Attempt {
  readonly needs: CommandNeed;
}

/** Has another process carry out a confirmed act; that process records it. */
async function requestAct(
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
