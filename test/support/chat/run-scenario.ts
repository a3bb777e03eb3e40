import { expect } from 'vitest';
import type { Platform } from '../../../src/core/accounts/customers/customer.ts';
import type { Scenario, ScenarioStep } from '../../bots/scenario-steps.ts';
import { type ConversationFixture, openConversationFixture } from './conversation-fixture.ts';
import type { ChatPerson, OpenDriver, SeenScreen } from './driver.ts';

/** Plays a conversation in a world of its own, and gives what was seen, move by move, with the names of the screens. */
export async function runScenario(
  { steps }: Scenario,
  { platform, open }: { readonly platform: Platform; readonly open: OpenDriver },
): Promise<{ readonly transcript: readonly string[]; readonly screens: readonly string[] }> {
  const fixture = await openConversationFixture();
  const driver = await open((community) => fixture.makeConversation(platform, community));
  try {
    const person = await driver.person('ann');
    person.setMembership('member');
    const transcript: string[] = [];
    for (const step of steps) {
      if ('meanwhile' in step) await step.meanwhile(fixture);
      else if ('membership' in step) person.setMembership(step.membership);
      else {
        const [title, seen] = await moved(step, person, fixture);
        expectSeen(title, step, seen);
        transcript.push(normal(`${title}\n${seen.text}\n[${seen.buttons.join('] [')}]`));
      }
    }
    return { transcript, screens: fixture.screens };
  } finally {
    await driver.close();
    await fixture.close();
  }
}

type MoveStep = Exclude<ScenarioStep, { meanwhile: unknown } | { membership: unknown }>;

async function moved(
  step: MoveStep,
  person: ChatPerson,
  fixture: ConversationFixture,
): Promise<[string, SeenScreen]> {
  if ('tap' in step) return [`[${step.tap}]`, await person.tap(step.tap)];
  if ('type' in step) {
    const text = typeof step.type === 'string' ? step.type : await step.type(fixture);
    return ['text', await person.type(text)];
  }
  const argument = typeof step.argument === 'function' ? await step.argument(fixture) : step.argument;
  return [`/${step.command}`, await person.command(step.command, argument)];
}

function expectSeen(title: string, { sees = [], misses = [], buttons }: MoveStep, seen: SeenScreen): void {
  for (const part of sees) expect(seen.text, `after ${title}`).toContain(part);
  for (const part of misses) expect(seen.text, `after ${title}`).not.toContain(part);
  if (buttons !== undefined) expect(seen.buttons, `after ${title}`).toEqual(buttons);
}

/** What is another each time, by its name. */
function normal(text: string): string {
  return (
    text
      .replaceAll(/sk_live_[\w-]{43}/g, 'sk_live_KEY')
      .replaceAll(/sk_live_[\w-]{10}…/g, 'sk_live_BEGINNING…')
      .replaceAll(/sk_live_[\w-]{4}…/g, 'sk_live_MARK…')
      .replaceAll(/(code: |\/link )\S+/g, '$1CODE')
      // What a platform says about itself.
      .replaceAll(' This message disappears after 10 minutes.', '')
      .replaceAll(/\b(Telegram|Discord|this terminal) \((telegram|discord|terminal)\)/g, 'PLATFORM')
      .replaceAll(/\b(telegram|discord|terminal):\w+/g, 'PLATFORM:ID')
      .replaceAll(/That is you (here, as|in this terminal).*/g, 'THAT IS YOU')
  );
}
