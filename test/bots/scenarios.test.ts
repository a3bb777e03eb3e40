import { describe, expect, test } from 'vitest';
import type { Platform } from '../../src/core/customers/customer.ts';
import { openDiscordDriver } from '../support/chat/discord-driver.ts';
import type { OpenDriver } from '../support/chat/driver.ts';
import { runScenario } from '../support/chat/run-scenario.ts';
import { openTelegramDriver } from '../support/chat/telegram-driver.ts';
import { openTerminalDriver } from '../support/chat/terminal-driver.ts';
import { SCENARIOS } from './scenarios.ts';

const DRIVERS: readonly { readonly platform: Platform; readonly open: OpenDriver }[] = [
  { platform: 'terminal', open: openTerminalDriver },
  { platform: 'telegram', open: openTelegramDriver },
  { platform: 'discord', open: openDiscordDriver },
];

/** Issue, "The same scenario table runs on all three renderers and gives the same screens". */
describe('every platform shows the same conversation', () => {
  test.each(SCENARIOS)('$title', async (scenario) => {
    const transcripts = await Promise.all(DRIVERS.map((driver) => runScenario(scenario, driver)));
    for (const transcript of transcripts) expect(transcript).toEqual(transcripts[0]);
  });
});
