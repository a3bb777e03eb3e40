import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { type EpochMs, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { BotName, ChatFacts, ChatKind } from '../../../src/core/chat/chat-message.ts';
import type { AlarmName } from '../../../src/core/operations/operator-alarm.ts';
import { daysLeft } from '../conversation/words.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Screen } from '../screen.ts';

/** By bot: its name, its platform and the setting of its token, for messages to operators. */
const BOTS: Readonly<Record<BotName, { bot: string; platform: string; setting: string }>> = {
  telegram: { bot: 'The Telegram bot', platform: 'Telegram', setting: 'TELEGRAM_BOT_TOKEN' },
  telegram_admin: {
    bot: 'The operator’s Telegram bot',
    platform: 'Telegram',
    setting: 'TELEGRAM_ADMIN_BOT_TOKEN',
  },
  discord: { bot: 'The Discord bot', platform: 'Discord', setting: 'DISCORD_TOKEN' },
};

/** By alarm: its title, and that of its end. */
const ALARMS: Readonly<Record<AlarmName, { readonly begun: string; readonly over: string }>> = {
  feed_blind: { begun: 'The feed sees no trades.', over: 'The feed sees trades again.' },
  database_away: { begun: 'The database does not answer.', over: 'The database answers again.' },
  disk_low: { begun: 'The disk is almost full.', over: 'The disk has enough room again.' },
  webhook_backlog: { begun: 'Webhooks are late.', over: 'Webhooks are on time again.' },
  doctor_failing: { begun: 'The doctor found a failure.', over: 'The doctor finds no failure any more.' },
  bot_unreachable: {
    begun: 'Telegram does not reach the bot: people get no answers.',
    over: 'Telegram reaches the bot again.',
  },
  messages_unknown: {
    begun: 'Messages may not have arrived.',
    over: 'No message waits for your decision any more.',
  },
};

/** `3 min`, `2 h 5 min`. */
function durationText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What happened to a message with a key, by `isDeleted`, and what its owner should do. */
const LEAKED: Readonly<Record<string, string>> = {
  true: 'We deleted that message, but others may have read it: take a new secret now.',
  false:
    'We could not delete that message: take a new secret now, and delete the message or ask an administrator there to do it.',
  undefined: 'Others may have read it: take a new secret now.',
};

/** Kinds of private messages. */
type NoteKind = Exclude<ChatKind, 'alert' | 'alert_update' | 'alert_result' | 'daily_digest'>;

type Notes = { readonly [Kind in NoteKind]: (facts: ChatFacts[Kind], now: EpochMs) => Screen | null };

const NOTES: Notes = {
  webhook_failing({ webhookId, url, failures }) {
    const body = [
      [{ bold: 'Your webhook keeps failing.' }],
      [
        `The last ${failures} deliveries to `,
        { code: url },
        ' failed. New alerts still go there; the failed ones are not sent again.',
      ],
      ['Why they failed is in its log: ', { code: `GET /webhooks/${webhookId}/deliveries` }, '.'],
    ];
    return plainScreen('webhook_failing', body, []);
  },

  key_first_used({ name }) {
    return plainScreen('key_first_used', [['Your key ', { bold: name }, ' works: first call just now.']], []);
  },

  /** The button is the conversation's. */
  key_leaked({ keyId, name, place, isDeleted }) {
    const body = [
      [{ bold: 'Your key was seen in public.' }],
      ['Your key ', { bold: name }, ` was posted in ${place}. ${LEAKED[String(isDeleted)]}`],
    ];
    return plainScreen('key_leaked', body, [[{ label: 'New secret', action: `rotate:${keyId}` }]]);
  },

  /** It may have waited for a bot that was off: what it says is what is left now. Null when that is nothing. */
  trial_reminder({ endsAt }, now) {
    if (now >= endsAt) return null;
    return plainScreen(
      'trial_reminder',
      [
        [{ bold: `Your Pro trial ends in ${daysLeft(endsAt, now)}.` }],
        [`On ${utcMinute(endsAt)} your keys become Free keys. They keep working, with the limits of Free.`],
      ],
      [],
    );
  },

  trial_ended({ endsAt }) {
    return plainScreen(
      'trial_ended',
      [
        [{ bold: 'Your Pro trial has ended.' }],
        [`Since ${utcMinute(endsAt)} your keys are Free keys. They keep working, with the limits of Free.`],
      ],
      [],
    );
  },

  operator_alarm({ alarm, sentence, since, until }) {
    const { begun, over } = ALARMS[alarm];
    if (until === null)
      return plainScreen(
        'operator_alarm',
        [[{ bold: begun }], [`Since ${utcMinute(since)}. ${sentence}`], [{ code: 'health' }, ' shows more.']],
        [],
      );
    const lasted = `From ${utcMinute(since)} to ${utcMinute(until)}, ${durationText(until - since)}.`;
    return plainScreen('operator_alarm', [[{ bold: over }], [lasted]], []);
  },

  token_refused({ bot: name, since, detail }) {
    const { bot, platform, setting } = BOTS[name];
    const body = [
      [{ bold: `${bot} does not work.` }],
      [`${platform} refuses its token, ${setting}, since ${utcMinute(since)}: `, { code: detail }],
      'It is retried at least every 15 minutes. A new token needs a restart.',
    ];
    return plainScreen('token_refused', body, []);
  },

  token_accepted({ bot: name, since, until }) {
    const { bot, platform } = BOTS[name];
    const body = [
      [{ bold: `${bot} works again.` }],
      `${platform} refused its token from ${utcMinute(since)} to ${utcMinute(until)}.`,
    ];
    return plainScreen('token_accepted', body, []);
  },

  operator_note: ({ text }) => plainScreen('operator_note', [text], []),

  broadcast: ({ text }) => plainScreen('broadcast', [text], []),
};

/** The text of a private message now; null when there is nothing to say any more. */
export function note<Kind extends NoteKind>(kind: Kind, facts: ChatFacts[Kind], now: EpochMs): Screen | null {
  return NOTES[kind](facts, now);
}
