import type { Actor, AdminConsole } from '../../bots/shared/conversation.ts';
import type { Screen } from '../../bots/shared/screen.ts';

export interface CommandLine {
  readonly name: string;
  readonly argument: string;
}

export type CommandResult = 'done' | 'refused' | 'usage';

interface OperatorTerminal {
  readonly adminConsole: AdminConsole;
  readonly actor: Actor;
  show(screen: Screen): void;
  confirm(): Promise<boolean>;
}

/** Runs one console command, and answers yes or no when it asks. */
export async function runConsoleCommand(
  operatorTerminal: OperatorTerminal,
  { name, argument }: CommandLine,
): Promise<CommandResult> {
  const { adminConsole, actor, show } = operatorTerminal;
  const screen = await adminConsole.move(actor, { kind: 'command', name, argument });
  if (screen === null) return 'usage';
  show(screen);
  if (screen.name !== 'admin_confirm') return resultOf(screen);
  const answer = (await operatorTerminal.confirm()) ? 'admin:confirm:' : 'admin:cancel:';
  const buttons = screen.buttons.flat();
  const button = buttons.find((one) => 'action' in one && one.action.startsWith(answer));
  if (button === undefined || !('action' in button)) throw new Error('a question without its buttons');
  const answered = await adminConsole.move(actor, { kind: 'tap', action: button.action });
  if (answered === null) throw new Error('the console does not know its own question');
  show(answered);
  return resultOf(answered);
}

const RESULTS: Readonly<Record<string, CommandResult>> = {
  admin_bad_arguments: 'usage',
  admin_refused: 'refused',
  admin_cancelled: 'refused',
  admin_not_recorded: 'refused',
  admin_nothing_waits: 'refused',
  admin_sorry: 'refused',
};

function resultOf({ name }: Screen): CommandResult {
  return RESULTS[name] ?? 'done';
}
