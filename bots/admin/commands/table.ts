import type { ConsoleCommand } from '../command.ts';
import { auditCommand } from './audit.ts';
import { banCommand, unbanCommand } from './ban.ts';
import { broadcastCommand } from './broadcast.ts';
import { dismissCommand, resendCommand } from './decide-unknown.ts';
import { extendCommand } from './extend.ts';
import { findCommand } from './find.ts';
import { healthCommand } from './health.ts';
import { createHelpCommand } from './help.ts';
import { outboxCommand } from './outbox.ts';
import { pauseCommand, resumeCommand } from './pause.ts';
import { provisionCommand } from './provision.ts';
import { revokeCommand } from './revoke.ts';
import { runJobCommand } from './run.ts';
import { statementsCommand } from './statements.ts';
import { statsCommand } from './stats.ts';
import { tierCommand } from './tier.ts';
import { annotateCommand, hideCommand, unhideCommand } from './wallet-statements.ts';
import { whyCommand } from './why.ts';
import { withdrawCommand } from './withdraw.ts';

const COMMANDS: readonly ConsoleCommand[] = [
  statsCommand,
  healthCommand,
  findCommand,
  provisionCommand,
  tierCommand,
  extendCommand,
  revokeCommand,
  banCommand,
  unbanCommand,
  whyCommand,
  pauseCommand,
  resumeCommand,
  runJobCommand,
  withdrawCommand,
  outboxCommand,
  resendCommand,
  dismissCommand,
  annotateCommand,
  hideCommand,
  unhideCommand,
  statementsCommand,
  broadcastCommand,
  auditCommand,
];

/** Every command of the console, in the order that help shows them. */
export function consoleCommands(): readonly ConsoleCommand[] {
  return [...COMMANDS, createHelpCommand(COMMANDS)];
}
