import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Platform } from '../../src/core/accounts/customers/customer.ts';
import { openDiscordDriver } from '../support/chat/discord-driver.ts';
import type { OpenDriver } from '../support/chat/driver.ts';
import { runScenario } from '../support/chat/run-scenario.ts';
import { openTelegramDriver } from '../support/chat/telegram-driver.ts';
import { openTerminalDriver } from '../support/chat/terminal-driver.ts';
import type { Scenario } from './scenario-steps.ts';
import { SCENARIOS } from './scenarios.ts';

const TERMINAL = { platform: 'terminal', open: openTerminalDriver } as const;
const DRIVERS: readonly { readonly platform: Platform; readonly open: OpenDriver }[] = [
  TERMINAL,
  { platform: 'telegram', open: openTelegramDriver },
  { platform: 'discord', open: openDiscordDriver },
];

type Run = ReturnType<typeof runScenario>;
const onTerminal = new Map<Scenario, Run>();

/** On the terminal each is played once, for both tests. */
function played(scenario: Scenario, driver: (typeof DRIVERS)[number]): Run {
  if (driver !== TERMINAL) return runScenario(scenario, driver);
  const run = onTerminal.get(scenario) ?? runScenario(scenario, TERMINAL);
  onTerminal.set(scenario, run);
  return run;
}

/** The same scenario table runs on all three renderers and gives the same screens. */
describe('every platform shows the same conversation', () => {
  test.each(SCENARIOS)('$title', async (scenario) => {
    const runs = await Promise.all(DRIVERS.map((driver) => played(scenario, driver)));
    for (const { transcript } of runs) expect(transcript).toEqual(runs[0]?.transcript);
  });

  test('every screen of the conversation is in the table', async () => {
    const runs = await Promise.all(SCENARIOS.map((scenario) => played(scenario, TERMINAL)));
    const seen = new Set(runs.flatMap(({ screens }) => screens));
    const inTable = [...screenNames()].filter((name) => !CONTENT_SCREENS.includes(name));
    expect([...seen].sort()).toEqual(inTable.sort());
  });
});

const CONVERSATION = 'bots/shared/conversation';
/** Answers to content that is not text: a keyboard cannot send it. */
const CONTENT_SCREENS = ['text_only'];
/** Those whose names are put together. */
const COMPOSED = ['join', 'not_joined_yet', 'link_unknown_code', 'link_own_code', 'link_banned', 'unknown'];

/** What the conversation's sources name as screens. */
function screenNames(): ReadonlySet<string> {
  const texts = readdirSync(CONVERSATION).map((file) => readFileSync(`${CONVERSATION}/${file}`, 'utf8'));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/Screen\(\s*'(\w+)'/g)].map(([, name]) => name ?? ''),
  );
  return new Set([...named, ...COMPOSED]);
}
