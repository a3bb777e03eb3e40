import { PROGRAM_ON_HOST } from '../infra/process/program.ts';
import type { AppContext } from './app-context.ts';

/** Logs the command that makes the first key, while there is none. */
export async function announceFirstKey({ clock, database, logger }: AppContext): Promise<void> {
  try {
    const counts = await database.operatorReads.keysByTier(clock.now());
    if (Object.values(counts).some((count) => count > 0)) return;
    const command = `${PROGRAM_ON_HOST} keys issue --tier enterprise --name Operations`;
    logger.info({ command }, 'there is no API key yet; this command makes one');
  } catch (err) {
    logger.debug({ err }, 'the keys were not counted at the start');
  }
}
