import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Membership } from '../../bots/shared/chat-bot.ts';
import { plainText, type Screen } from '../../bots/shared/screen.ts';
import {
  actionOf,
  type ConversationVisit,
  openConversationVisit,
} from '../support/chat/conversation-visit.ts';
import { ACCOUNT_SCENARIOS } from './account-scenarios.ts';
import { COMMAND_SCENARIOS } from './command-scenarios.ts';
import { FOLLOW_SCENARIOS } from './follow-scenarios.ts';
import { FOLLOWED_SCENARIOS } from './followed-scenarios.ts';
import { KEY_SCENARIOS } from './key-scenarios.ts';
import { OWN_KEY_SCENARIOS } from './own-key-scenarios.ts';
import { QUESTION_SCENARIOS } from './question-scenarios.ts';
import type { MoveStep, Scenario, Text } from './scenario-steps.ts';

const SCENARIOS = [
  ...FOLLOW_SCENARIOS,
  ...FOLLOWED_SCENARIOS,
  ...COMMAND_SCENARIOS,
  ...KEY_SCENARIOS,
  ...OWN_KEY_SCENARIOS,
  ...ACCOUNT_SCENARIOS,
  ...QUESTION_SCENARIOS,
];

async function played({ steps }: Scenario): Promise<readonly string[]> {
  let membership: Membership = 'member';
  const visit = await openConversationVisit({
    membershipOf: async () => membership,
    joinAddress: async () => 'https://community.example/join',
  });
  const names: string[] = [];
  let screen: Screen | null = null;
  for (const step of steps) {
    if ('meanwhile' in step) await step.meanwhile(visit.fixture);
    else if ('membership' in step) membership = step.membership;
    else {
      screen = await moved(step, visit, screen);
      expectSeen(step, screen);
      names.push(screen.name);
    }
  }
  return names;
}

async function moved(step: MoveStep, visit: ConversationVisit, screen: Screen | null): Promise<Screen> {
  const textOf = async (text: Text) => (typeof text === 'string' ? text : text(visit.fixture));
  if ('type' in step) return visit.type(await textOf(step.type));
  if ('command' in step) return visit.command(step.command, await textOf(step.argument ?? ''));
  if (screen === null) throw new Error('there is no screen yet');
  return visit.act(actionOf(screen, step.tap));
}

function expectSeen({ sees = [], misses = [], buttons, ...move }: MoveStep, screen: Screen): void {
  const [text, title] = [plainText(screen), `after ${Object.values(move).join(' ')}`];
  for (const part of sees) expect(text, title).toContain(part);
  for (const part of misses) expect(text, title).not.toContain(part);
  if (buttons !== undefined)
    expect(
      screen.buttons.flat().map(({ label }) => label),
      title,
    ).toEqual(buttons);
}

const names = new Set<string>();

describe('the conversation', () => {
  test.each(SCENARIOS)('$title', async (scenario) => {
    for (const name of await played(scenario)) names.add(name);
  });

  test('has no screen that is not in the table', () => {
    expect([...names].sort()).toEqual([...screenNames()].filter((name) => name !== 'text_only').sort());
  });
});

const CONVERSATION = 'bots/shared/conversation';
/** Names that are made or chosen at run time, so that the search below does not find them. */
const COMPOSED = ['join', 'not_joined_yet', 'unknown'];

function screenNames(): ReadonlySet<string> {
  const files = readdirSync(CONVERSATION, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const texts = files.map((file) => readFileSync(`${CONVERSATION}/${file}`, 'utf8'));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/Screen\(\s*'(\w+)'/g)].map(([, name]) => name ?? ''),
  );
  return new Set([...named, ...COMPOSED]);
}
