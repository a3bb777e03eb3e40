import { PLATFORM_LABELS } from '../../../src/core/accounts/customers/customer.ts';
import { counted, utcMinute } from '../../../src/core/base/text/formats.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import { broadcast, countBroadcast } from '../../../src/core/chat/broadcast.ts';
import { alertPostIds, CHANNELS, type ChatMessage, isChannel } from '../../../src/core/chat/chat-message.ts';
import { isDroppedAsIntended, type UnknownChange } from '../../../src/core/chat/chat-store.ts';
import { type Button, type Paragraph, shortened } from '../../shared/screen.ts';
import {
  alertNumber,
  type ConsoleCommand,
  commandButton,
  done,
  type Plan,
  quote,
  type Refusal,
  screenOf,
} from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';

const SHOWN = { unknown: 8, givenUp: 10, buttons: 3 } as const;
/** Read at most. */
const UNKNOWN_READ = 500;
/** Of a day, among which those to show are searched. */
const GIVEN_UP_READ = 500;
const ERROR_LENGTH = 120;
/** Of a button on Telegram (core.telegram.org/bots/api#inlinekeyboardbutton). */
const ACTION_BYTES = 64;

export const outboxCommand: ConsoleCommand = {
  usage: 'outbox',
  description: 'Messages that may have been sent, with what to do, and what was given up in 24 hours',
  async run(_, { database: { chat }, clock }) {
    const [unknown, ended] = await Promise.all([
      chat.unknown(UNKNOWN_READ),
      chat.givenUp({ since: clock.now() - DAY_MS, limit: GIVEN_UP_READ }),
    ]);
    const givenUp = ended.filter(({ state, error }) => state === 'failed' || !isDroppedAsIntended(error));
    const body = [...unknownParagraphs(unknown), givenUpParagraph(givenUp)];
    return screenOf('outbox', body, unknown.slice(0, SHOWN.buttons).flatMap(buttonsOf));
  },
};

function unknownParagraphs(unknown: readonly ChatMessage[]): readonly Paragraph[] {
  const heading = { bold: 'Outcome unknown' };
  if (unknown.length === 0) return [[heading, '\nnone']];
  const rest = unknown.length - SHOWN.unknown;
  return [
    [heading, `\n${counted(unknown.length, 'message')}, each sent once at most.`],
    ...unknown.slice(0, SHOWN.unknown).map(unknownParagraph),
    ...(rest > 0 ? [[`… and ${rest} older.`]] : []),
    [
      'Check whether it arrived. If it did: ',
      { code: 'dismiss ID' },
      '. If not: ',
      { code: 'resend ID' },
      ' sends it again.',
    ],
  ];
}

function unknownParagraph({ id, recipient, facts, unsureSince, error }: ChatMessage): Paragraph {
  const where = isChannel(recipient) ? `look in ${recipient}` : `to ${recipient}`;
  const alert = 'alertId' in facts ? `, alert ${facts.alertId}` : '';
  const at = unsureSince === null ? '' : `, ${utcMinute(unsureSince)}`;
  return [{ code: id }, `\n${where}${alert}${at} (${shortened(error ?? 'no answer', ERROR_LENGTH)})`];
}

function givenUpParagraph(givenUp: readonly ChatMessage[]): Paragraph {
  const heading = { bold: 'Given up in the last 24 hours' };
  if (givenUp.length === 0) return [heading, '\nnone'];
  const lines = givenUp
    .slice(0, SHOWN.givenUp)
    .map(({ id, state, error }) => `\n${id}: ${state} (${shortened(error ?? 'no reason', ERROR_LENGTH)})`);
  const rest = givenUp.length - lines.length;
  return [heading, ...lines, rest > 0 ? `\n… and ${rest} older.` : ''];
}

/** None for an id that is too long for a button. */
function buttonsOf({ id }: ChatMessage): readonly (readonly Button[])[] {
  if (Buffer.byteLength(`admin:do:dismiss ${id}`) > ACTION_BYTES) return [];
  return [
    [commandButton(`It arrived: ${id}`, `dismiss ${id}`), commandButton('Send it again', `resend ${id}`)],
  ];
}

export const resendCommand: ConsoleCommand = {
  isIrreversible: true,
  usage: 'resend ID',
  description: 'Resends a message whose outcome is unknown: check first that it did not arrive',
  async run(text, deps) {
    const found = await unknownMessages(deps, text);
    if ('refused' in found) return found;
    const body = [[`Send ${namesOf(found)} again? If it did arrive, it will be there twice.`]];
    const change = { state: 'pending', dueAt: deps.clock.now() } as const;
    return { question: { body, yes: 'Send again' }, ...decision(deps, found, change, 'is sent again') };
  },
};

const ACCEPTED = 'outcome unknown, accepted by an operator';

export const dismissCommand: ConsoleCommand = {
  usage: 'dismiss ID',
  description: 'Accepts that the outcome of a message is unknown: it leaves the list and is not sent again',
  async run(text, deps) {
    const found = await unknownMessages(deps, text);
    if ('refused' in found) return found;
    const change = { state: 'failed', error: ACCEPTED, at: deps.clock.now() } as const;
    return decision(deps, found, change, 'is off the list and is not sent again');
  },
};

/** By the id of a message, or the number of an alert for its posts. */
async function unknownMessages(
  { database: { chat } }: ConsoleDeps,
  text: string,
): Promise<readonly ChatMessage[] | Refusal> {
  const alertId = alertNumber(text);
  const ids = alertId === null ? [text] : alertPostIds(alertId);
  const found = (await Promise.all(ids.map((id) => chat.byId(id)))).filter((message) => message !== null);
  const unknown = found.filter(({ state }) => state === 'unknown');
  if (unknown.length > 0) return unknown;
  const [known] = found;
  if (known === undefined) return { refused: `There is no message ${quote(text)}: outbox lists their ids.` };
  return {
    refused: `${known.id} is ${known.state}: only a message whose outcome is unknown can be decided.`,
  };
}

function decision(
  { database: { chat } }: ConsoleDeps,
  found: readonly ChatMessage[],
  change: UnknownChange,
  said: string,
): Exclude<Plan, Refusal> {
  return {
    async act() {
      const decided: ChatMessage[] = [];
      for (const message of found) if (await chat.decide(message.id, change)) decided.push(message);
      if (decided.length === 0) return { refused: `${namesOf(found)} has been decided in the meantime.` };
      return done(`${namesOf(decided)} ${said}.`);
    },
  };
}

function namesOf(messages: readonly ChatMessage[]): string {
  return messages.map(({ id }) => id).join(' and ');
}

/** A message of Discord holds 2,000 characters, with what stands around it. */
const TEXT_LENGTH = 1_500;

export const broadcastCommand: ConsoleCommand = {
  isIrreversible: true,
  usage: 'broadcast TEXT',
  description: 'Counts who would get the text and shows it; sends it when that is confirmed',
  async run(text, deps) {
    if (text.length > TEXT_LENGTH)
      return { wrong: `TEXT has ${text.length} characters; the maximum is ${TEXT_LENGTH}.` };
    const sending = { ...deps, store: deps.database.chat };
    const audience = await countBroadcast(sending);
    const count = CHANNELS.reduce((sum, channel) => sum + audience[channel], 0);
    if (count === 0) return { refused: 'There is no customer to write to.' };
    const customers = counted(count, 'customer');
    const where = CHANNELS.map((channel) => `${audience[channel]} on ${PLATFORM_LABELS[channel]}`).join(
      ' and ',
    );
    const body = [
      [`Nothing is sent yet. ${customers} would get this text, ${where}:`],
      [text],
      ['Send it? It cannot be taken back.'],
    ];
    const id = deps.random.base64url(12);
    return {
      question: { body, yes: `Send to ${customers}` },
      act: async () =>
        done(`The text is on its way to ${counted(await broadcast(sending, { id, text }), 'customer')}.`),
    };
  },
};
