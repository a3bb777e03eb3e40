import { cutText, timeSpan, utcMinute } from '../../../src/core/base/text/formats.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { ChatFacts, ChatKind, PersonalKind } from '../../../src/core/chat/chat-message.ts';
import type { AlarmName } from '../../../src/core/operations/operator-alarm.ts';
import { UPGRADE_BUTTON } from '../conversation/buttons.ts';
import { daysLeft, operatorSpans } from '../conversation/words.ts';
import { plainScreen, type Screen } from '../screen.ts';

const ALARMS: Readonly<Record<AlarmName, { readonly begun: string; readonly over: string }>> = {
  feed_blind: { begun: 'The feed sees no trades.', over: 'The feed sees trades again.' },
  database_away: { begun: 'The database is not answering.', over: 'The database is answering again.' },
  worker_gone: { begun: 'The service has stopped its work.', over: 'The service works again.' },
  disk_low: { begun: 'The disk is almost full.', over: 'The disk has enough space again.' },
  webhook_backlog: { begun: 'Webhooks are late.', over: 'Webhooks are on time again.' },
  bot_unreachable: {
    begun: 'Telegram cannot reach the bot: people get no answers.',
    over: 'Telegram can reach the bot again.',
  },
  telegram_token: { begun: 'The Telegram bot does not work.', over: 'The Telegram bot works again.' },
  telegram_admin_token: {
    begun: 'The operator’s Telegram bot does not work.',
    over: 'The operator’s Telegram bot works again.',
  },
  discord_token: { begun: 'The Discord bot does not work.', over: 'The Discord bot works again.' },
  messages_unknown: {
    begun: 'Some messages may not have arrived.',
    over: 'The outcome of every message of the last day is known.',
  },
};

const DELETED = 'I deleted that message, but others may have read it: replace the key now.';
const NOT_DELETED =
  'I could not delete that message: replace the key now, and delete the message or ask an administrator there to do it';

interface NoteContext {
  readonly now: EpochMs;
  readonly contact: string | null;
}

type NoteKind = Exclude<ChatKind, PersonalKind | 'alert' | 'alert_update' | 'alert_result' | 'daily_digest'>;

type Body = Parameters<typeof plainScreen>[1];
type Notes = { readonly [Kind in NoteKind]: (facts: ChatFacts[Kind], context: NoteContext) => Body | null };

const NOTES: Notes = {
  webhook_failing: ({ webhookId, url, failures }) => [
    [{ bold: 'Your webhook keeps failing.' }],
    [
      `The last ${failures} deliveries to `,
      { code: url },
      ' failed. New alerts still go there; the failed ones are not sent again.',
    ],
    ['Its log says why they failed: ', { code: `GET /webhooks/${webhookId}/deliveries` }, '.'],
  ],

  key_first_used: ({ name }) => [
    ['Your key ', { bold: name }, ' works: it was just used for the first time.'],
  ],

  key_leaked({ name, place, isDeleted }, { contact }) {
    const remedy = isDeleted
      ? [DELETED]
      : [NOT_DELETED, ...(contact === null ? [] : [', or ', ...operatorSpans(contact)]), '.'];
    return [
      [{ bold: 'Your key was seen in public.' }],
      ['Your key ', { bold: name }, ` was posted in ${place}. `, ...remedy],
    ];
  },

  /** It may have waited for a bot that was off, so it says what is left now; null when nothing is left. */
  trial_reminder({ endsAt }, { now }) {
    if (now >= endsAt) return null;
    return [
      [{ bold: `Your Pro trial ends in ${daysLeft(endsAt, now)}.` }],
      `On ${utcMinute(endsAt)} your keys become Free keys. They keep working, with the Free limits.`,
    ];
  },

  trial_ended: ({ endsAt, follows }) => [
    [{ bold: 'Your Pro trial has ended.' }],
    `Since ${utcMinute(endsAt)} your keys are Free keys. They keep working, with the Free limits.`,
    ...(follows === undefined ? [] : [pausedFollows(follows)]),
  ],

  operator_alarm({ alarm, sentence, since, until }) {
    const { begun, over } = ALARMS[alarm];
    if (until === null)
      return [
        [{ bold: begun }],
        `Since ${utcMinute(since)}. ${sentence}`,
        [{ code: 'health' }, ' shows more.'],
      ];
    const lasted = `From ${utcMinute(since)} to ${utcMinute(until)}, ${timeSpan(until - since)}.`;
    return [[{ bold: over }], lasted];
  },

  operator_note: ({ text }, { contact }) => [
    text,
    ...(contact === null ? [] : [['Questions: write to ', ...operatorSpans(contact), '.']]),
  ],

  broadcast: ({ text }) => [text],
};

const NAMED_FOLLOWS = 20;
const FOLLOW_NAME_LENGTH = 60;

function pausedFollows({ count, limit, paused }: NonNullable<ChatFacts['trial_ended']['follows']>) {
  const names = paused.slice(0, NAMED_FOLLOWS).map((name) => cutText(name, FOLLOW_NAME_LENGTH));
  const more = paused.length > names.length ? `; and ${paused.length - names.length} more` : '';
  return [
    `You follow ${count}; Free allows ${limit}. The oldest ${limit} continue; paused: ${names.join('; ')}${more}. None is deleted: `,
    { code: '/follows' },
    ' lists them.',
  ];
}

/** The buttons are the conversation's. */
function buttonsOf(kind: NoteKind, facts: ChatFacts[NoteKind]): Screen['buttons'] {
  if (kind === 'key_leaked' && 'keyId' in facts)
    return [[{ label: 'Replace the key', action: `rotate:${facts.keyId}` }]];
  return kind === 'trial_ended' || kind === 'trial_reminder' ? [[UPGRADE_BUTTON]] : [];
}

export function note<Kind extends NoteKind>(
  kind: Kind,
  facts: ChatFacts[Kind],
  context: NoteContext,
): Screen | null {
  const body = NOTES[kind](facts, context);
  return body === null ? null : plainScreen(kind, body, buttonsOf(kind, facts));
}
