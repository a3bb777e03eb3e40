import type { NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import type { PersonalVerdict } from '../../../src/core/chat/personal-choice.ts';
import { choiceOf, fakeCustomers, openChatEngineFixture } from './chat-engine-fixture.ts';
import { type Answer, scriptedMessenger } from './scripted-messenger.ts';

/** An engine that sends what people follow on Telegram; everything, unless a verdict on an alert says otherwise. */
export async function openPersonal(
  messages: readonly NewChatMessage[],
  {
    answer,
    verdictOn,
    customers = fakeCustomers(),
    isPaused = () => false,
  }: {
    answer?: Answer;
    verdictOn?: (alertId: number) => PersonalVerdict | undefined;
    customers?: ReturnType<typeof fakeCustomers>;
    isPaused?: (name: string) => boolean;
  } = {},
) {
  const fixture = await openChatEngineFixture();
  const { messenger, calls } = scriptedMessenger(answer);
  const choice = choiceOf(({ facts }) => ('alertId' in facts ? verdictOn?.(facts.alertId) : undefined));
  await fixture.store.add(messages);
  const engine = fixture.engine({ telegram: messenger }, { customers, choice, isPaused });
  return { ...fixture, calls, engine };
}
