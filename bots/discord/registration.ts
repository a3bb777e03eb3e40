import { FailureLog } from '../../src/core/async/failure-log.ts';
import { retry } from '../../src/core/async/retry.ts';
import type { Clock } from '../../src/core/clock.ts';
import { HOUR_MS, SECOND_MS } from '../../src/core/duration.ts';
import type { Logger } from '../../src/core/logger.ts';
import { describeFailure } from './failures.ts';
import { type CommandSet, registerCommands } from './slash-commands.ts';

const BACKOFF = { firstMs: 30 * SECOND_MS, mostMs: HOUR_MS };

/** Registers the commands, with retries until it has succeeded once; until then the former ones stay. Never throws. */
export async function keepRegistering(
  commands: CommandSet,
  { clock, logger, signal }: { readonly clock: Clock; readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const warn = ({ err }: { readonly err?: unknown }, message: string) =>
    logger.warn({ reason: describeFailure(err) }, message);
  const failures = new FailureLog({ warn }, 'registration of the Discord commands failed; retrying');
  const register = () => registerCommands(commands);
  const registered = await retry(register, { clock, signal, backoff: BACKOFF, failures }).catch(() => null);
  if (registered !== null && registered.written > 0)
    logger.info({ commands: registered.commands }, 'commands registered with Discord');
}
