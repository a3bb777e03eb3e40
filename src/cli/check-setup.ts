import type { SetupItem } from '../../bots/shared/bot-setup.ts';
import { UserError } from '../core/base/user-error.ts';
import { createLogger } from '../infra/telemetry/logger.ts';
import { openSetups } from '../wiring/open-setups.ts';
import type { OpenedSetup } from '../wiring/platform.ts';
import { missingPublicUrl } from '../wiring/public-url.ts';
import { readConfig } from './read-config.ts';

/**
 * Checks the bots of the settings, and posts to each channel a silent message that is edited and deleted. Prints a line for
 * each item; true when nothing is missing.
 */
export async function checkSetup(print: (line: string) => void): Promise<boolean> {
  const config = readConfig(process.env);
  const logger = createLogger('error', { write: (line) => void process.stderr.write(line) });
  const setups = await openSetups(config, logger);
  if (setups.length === 0)
    throw new UserError('check needs a bot: set TELEGRAM_BOT_TOKEN or DISCORD_TOKEN as the service has it');
  let isComplete = true;
  const show = ({ name, remedy }: SetupItem) => {
    isComplete &&= remedy === null;
    print(remedy === null ? `ok       ${name}` : `missing  ${name}: ${remedy}`);
  };
  show(missingPublicUrl(config.server, null) ?? { name: 'public_url', remedy: null });
  for (const opened of setups) await check(opened, show);
  return isComplete;
}

async function check({ setting, setup, close }: OpenedSetup, show: (item: SetupItem) => void): Promise<void> {
  const name = setting.toLowerCase();
  try {
    const items = await setup.inspect();
    for (const item of [{ name, remedy: null }, ...items]) show(item);
    for (const item of await setup.prove()) show(item);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    show({ name, remedy: `${setting}: the platform does not answer as expected: ${reason}` });
  } finally {
    close();
  }
}
