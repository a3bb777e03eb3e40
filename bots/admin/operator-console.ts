import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { OperatorRequest, RequestAnswer } from '../../src/core/operations/operator-request.ts';
import type { Actor, AdminConsole, ChatCommand, Move } from '../shared/conversation.ts';
import { plainText, type Screen } from '../shared/screen.ts';
import { type PlannedAct, prefixFor, screenOf, type Wrong } from './command.ts';
import { commandList, consoleCommands, type NamedCommand } from './commands/table.ts';
import type { ConsoleDeps, OperatorId } from './console-deps.ts';
import { ActRecorder, type Attempt, hideSecrets } from './record-acts.ts';

/** A question to the operator expires after 5 minutes. An LRU cache keeps an entry for its `ttl`, inclusive. */
const CONFIRM_TTL_MS = 5 * MINUTE_MS - 1;
/** Questions that wait; the oldest are dropped. */
const MAX = 100;
const TOKEN_BYTES = 12;
/** Lists the commands. */
const LIST = 'help';
const ADMIN: ChatCommand = {
  name: 'admin',
  description: 'The operator’s commands',
  argument: { name: 'command', description: 'For example: find @ann' },
};

interface WaitingAct extends Attempt {
  readonly plan: PlannedAct;
}

/** The operator's console, which never sees a whole key. Strangers get null; nothing is recorded. */
export class OperatorConsole implements AdminConsole {
  readonly commands: AdminConsole['commands'];
  readonly #deps: ConsoleDeps;
  readonly #commands = new Map(consoleCommands().map((command) => [command.name, command]));
  readonly #waiting: LRUCache<string, WaitingAct>;
  readonly #recorder: ActRecorder;

  constructor(deps: ConsoleDeps) {
    this.#deps = deps;
    this.#waiting = new LRUCache({ max: MAX, ttl: CONFIRM_TTL_MS, ttlResolution: 0, perf: deps.clock });
    this.#recorder = new ActRecorder(deps);
    const commands = [...this.#commands.values()].map(({ name, description, args }) => ({
      name,
      description,
      argument: args === '' ? null : { name: 'arguments', description: args },
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
    const result = await this.#commands.get(name)?.run(args, this.#deps, by);
    if (result === undefined || 'body' in result)
      return { state: 'refused', answer: `${name} is not known here.` };
    if ('wrong' in result) return { state: 'refused', answer: result.wrong };
    const attempt = { by, command: name, args };
    const screen =
      'refused' in result
        ? await this.#recorder.refused(attempt, result.refused)
        : await this.#recorder.perform(attempt, result.act);
    return { state: screen.name === 'admin_done' ? 'done' : 'refused', answer: plainText(screen) };
  }

  async #run(by: string, { name, argument }: CommandLine): Promise<Screen | null> {
    if (name === LIST) return commandList(prefixFor(by));
    const command = this.#commands.get(name);
    if (command === undefined) return null;
    const typed = hideSecrets(argument).trim();
    const result = wrongCount(command, typed) ?? (await command.run(typed, this.#deps, by));
    if ('wrong' in result) return badArguments(command, result, by);
    if ('body' in result) return result;
    const { args = typed, personal = [] } = result;
    const attempt = { by, command: name, args, personal };
    if ('refused' in result) return this.#recorder.refused(attempt, result.refused);
    const { question } = result;
    if (question === undefined) return this.#perform({ ...attempt, plan: result });
    await this.#recorder.append(attempt, `asked to confirm: ${plainText(question)}`);
    const token = this.#deps.random.base64url(TOKEN_BYTES);
    this.#waiting.set(token, { ...attempt, plan: result });
    return screenOf('confirm', question.body, [
      [{ label: question.yes, action: `admin:confirm:${token}` }],
      [{ label: 'Cancel', action: `admin:cancel:${token}` }],
    ]);
  }

  /** Carried out by the worker, or here where none runs. */
  async #perform(waiting: WaitingAct): Promise<Screen> {
    const { by: actor, command, args, plan } = waiting;
    const result = await this.#deps.requests?.send({ command, args, actor });
    if (result === undefined || result.outcome === 'no_worker')
      return this.#recorder.perform(waiting, plan.act);
    switch (result.outcome) {
      case 'done':
      case 'refused':
        return screenOf(result.outcome, [[result.answer]]);
      case 'not_taken':
        return this.#recorder.refused(
          waiting,
          'Nothing was done: the running service did not take it within 30 s. It will not be done later.',
        );
      case 'no_answer':
        await this.#recorder.append(waiting, 'no answer: the outcome follows from the service');
        return screenOf('refused', [
          ['It was taken but has not ended after 30 s. Its outcome appears in ', { code: 'health' }, '.'],
        ]);
    }
  }

  async #settle(by: string, { answer, token }: Answer): Promise<Screen> {
    const waiting = this.#waiting.peek(token);
    if (waiting?.by !== by) return NOTHING_WAITS;
    this.#waiting.delete(token);
    if (answer === 'confirm') return this.#perform(waiting);
    await this.#recorder.append(waiting, 'cancelled');
    return screenOf('cancelled', [[`Nothing was done: ${waiting.command} is cancelled.`]]);
  }
}

const NOTHING_WAITS = screenOf('nothing_waits', [
  [
    'No question waits for this answer. It was answered already, is older than 5 minutes, or belongs to another admin.',
  ],
  ['Nothing was done now. Repeat the command if you still want it.'],
]);

const SORRY = screenOf('sorry', [
  ['That failed: a part of the service is not answering. The log has the details.'],
  ['If it was a change, ', { code: 'health' }, ' shows how far it got.'],
]);

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
  if (typed === '') return { name: LIST, argument: '' };
  if (typed !== ADMIN.name) return { name: typed, argument };
  const [, name = '', rest = ''] = /^\/?(\S*)\s*(.*)$/s.exec(argument.trim()) ?? [];
  return { name: name === '' ? LIST : name.toLowerCase(), argument: rest };
}

/** Whoever is at the terminal has access to the database, and so to everything here. */
function isAdmin(adminIds: readonly OperatorId[], { platform, userId, roleIds }: Actor): boolean {
  if (platform === 'terminal') return true;
  return adminIds.some(
    (admin) =>
      (admin.platform === platform && admin.id === userId) ||
      (admin.platform === 'discord-role' && platform === 'discord' && roleIds.includes(admin.id)),
  );
}

/** A missing argument, or one where none is taken. */
function wrongCount({ args }: NamedCommand, typed: string): Wrong | null {
  if (args === '') return typed === '' ? null : { wrong: 'It takes no arguments.' };
  return typed === '' && /^[A-Z]+$/.test(args) ? { wrong: `${args} is missing.` } : null;
}

function badArguments({ usage, description }: NamedCommand, { wrong }: Wrong, by: string): Screen {
  return screenOf('bad_arguments', [[wrong], ['Usage: ', { code: prefixFor(by) + usage }], [description]]);
}
