import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatMessage } from '../../../src/core/chat/chat-message.ts';
import { isChannel } from '../../../src/core/chat/chat-queue.ts';
import { isDroppedAsIntended } from '../../../src/core/chat/drop-reasons.ts';
import { type Button, type Paragraph, shortened } from '../../shared/screen.ts';
import { commandButton, type ReadCommand, screenOf } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { parseNoArgument } from '../parse-arguments.ts';

const SHOWN = { unknown: 8, givenUp: 10, buttons: 3 } as const;
/** Of a day, among which those to show are searched. */
const GIVEN_UP_READ = 500;
const ERROR_LENGTH = 120;
/** Of a button on Telegram (core.telegram.org/bots/api#inlinekeyboardbutton). */
const ACTION_BYTES = 64;

export const outboxCommand: ReadCommand = {
  kind: 'read',
  name: 'outbox',
  usage: 'outbox',
  description: 'Messages that may have been sent, with what to do, and what was given up in 24 hours',
  parse: (argument) => parseNoArgument(argument, show),
};

async function show({ posts, clock }: ConsoleDeps) {
  const [unknown, counts, ended] = await Promise.all([
    posts.unknown(SHOWN.unknown),
    posts.counts(),
    posts.givenUp({ since: clock.now() - DAY_MS, limit: GIVEN_UP_READ }),
  ]);
  const givenUp = ended.filter(({ state, error }) => state === 'failed' || !isDroppedAsIntended(error));
  const body = [...unknownParagraphs(unknown, counts.unknown), givenUpParagraph(givenUp)];
  return screenOf('outbox', body, unknown.slice(0, SHOWN.buttons).flatMap(buttonsOf));
}

function unknownParagraphs(unknown: readonly ChatMessage[], count: number): readonly Paragraph[] {
  const heading = { bold: 'Outcome unknown' };
  if (unknown.length === 0) return [[heading, '\nnone']];
  const rest = count - unknown.length;
  return [
    [heading, `\n${count === 1 ? '1 message' : `${count} messages`}, each sent once at most.`],
    ...unknown.map(unknownParagraph),
    ...(rest > 0 ? [[`… and ${rest} older.`]] : []),
    [
      'Look whether it arrived. If it did: ',
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
