import type { Clock } from '../../src/core/clock.ts';
import { HOUR_MS } from '../../src/core/duration.ts';
import type { Logger } from '../../src/core/logger.ts';
import { describeFailure } from './failures.ts';
import { type CommandSet, registerCommands } from './slash-commands.ts';

const FIRST_WAIT_MS = 30_000;

/** Registers the commands, until it has worked once; meanwhile those of before stay. Never throws. */
export async function keepRegistering(
  deps: CommandSet & { readonly clock: Clock; readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const { clock, logger, signal } = deps;
  for (let waitMs = FIRST_WAIT_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, HOUR_MS)) {
    try {
      const { commands, written } = await registerCommands(deps);
      if (written > 0) logger.info({ commands }, 'commands registered with Discord');
      return;
    } catch (error) {
      logger.warn({ reason: describeFailure(error), waitMs }, 'commands were not registered with Discord');
    }
    await clock.sleep(waitMs, signal);
  }
}
