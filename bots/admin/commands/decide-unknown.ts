import { alertPostIds, type ChatMessage } from '../../../src/core/chat/chat-message.ts';
import type { UnknownChange } from '../../../src/core/chat/chat-store.ts';
import { type ActCommand, done, type Plan, type Question, type Refusal } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { parseOneArgument, quote, wholeNumber } from '../parse-arguments.ts';

const ACCEPTED = 'outcome unknown, accepted by an operator';

export const resendCommand: ActCommand = {
  kind: 'act',
  name: 'resend',
  isIrreversible: true,
  usage: 'resend ID',
  description: 'Sends a message again whose outcome is unknown: look first that it did not arrive',
  parse: (argument) =>
    parseOneArgument(argument, 'ID', (id) => async (deps) => {
      const found = await unknownMessages(deps, id);
      if ('refused' in found) return found;
      const question = {
        body: [[`Send ${namesOf(found)} again? If it did arrive, it is there twice then.`]],
        yes: 'Send again',
      };
      const now = deps.clock.now();
      return planOf(deps, {
        found,
        question,
        change: { state: 'pending', dueAt: now },
        said: 'is sent again',
      });
    }),
};

export const dismissCommand: ActCommand = {
  kind: 'act',
  name: 'dismiss',
  isIrreversible: false,
  usage: 'dismiss ID',
  description: 'Accepts that the outcome of a message is unknown: it leaves the list and is not sent again',
  parse: (argument) =>
    parseOneArgument(argument, 'ID', (id) => async (deps) => {
      const found = await unknownMessages(deps, id);
      if ('refused' in found) return found;
      const change = { state: 'failed', error: ACCEPTED, at: deps.clock.now() } as const;
      return planOf(deps, { found, question: null, change, said: 'is off the list and is not sent again' });
    }),
};

/** By the id of a message, or the number of an alert for its posts. */
async function unknownMessages(
  { posts }: ConsoleDeps,
  text: string,
): Promise<readonly ChatMessage[] | Refusal> {
  const alertId = wholeNumber(text, { min: 1, max: Number.MAX_SAFE_INTEGER });
  const ids = alertId === null ? [text] : alertPostIds(alertId);
  const messages = await Promise.all(ids.map((id) => posts.message(id)));
  const found = messages.filter((message) => message !== null);
  const unknown = found.filter(({ state }) => state === 'unknown');
  if (unknown.length > 0) return unknown;
  const [known] = found;
  if (known === undefined) return { refused: `There is no message ${quote(text)}: outbox lists their ids.` };
  return {
    refused: `${known.id} is ${known.state}: only a message whose outcome is unknown can be decided.`,
  };
}

interface Decision {
  readonly found: readonly ChatMessage[];
  readonly question: Question | null;
  readonly change: UnknownChange;
  readonly said: string;
}

function planOf({ posts }: ConsoleDeps, { found, question, change, said }: Decision): Plan {
  return {
    question,
    async act() {
      const decided: ChatMessage[] = [];
      for (const message of found) if (await posts.decide(message.id, change)) decided.push(message);
      if (decided.length === 0) return { refused: `${namesOf(found)} was decided meanwhile.` };
      return done(`${namesOf(decided)} ${said}.`);
    },
  };
}

function namesOf(messages: readonly ChatMessage[]): string {
  return messages.map(({ id }) => id).join(' and ');
}
