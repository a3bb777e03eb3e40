import { utcMinute } from '../../../src/core/alerts/alert-words.ts';
import type { BotName, ChatFacts } from '../../../src/core/chat/chat-message.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import { daysLeft } from '../conversation/words.ts';
import { plainScreen } from '../plain-screen.ts';
import type { Screen } from '../screen.ts';

/** Texts of private messages, by kind. */

export function webhookFailing({ webhookId, url, failures }: ChatFacts['webhook_failing']): Screen {
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
}

export function keyFirstUsed({ name }: ChatFacts['key_first_used']): Screen {
  return plainScreen('key_first_used', [['Your key ', { bold: name }, ' works: first call just now.']], []);
}

/** The button is the conversation's. */
export function keyLeaked({ keyId, name, place }: ChatFacts['key_leaked']): Screen {
  const body = [
    [{ bold: 'Your key was seen in public.' }],
    [
      'Your key ',
      { bold: name },
      ` was posted in ${place}. We delete such messages, but others may have read it: take a new secret now.`,
    ],
  ];
  return plainScreen('key_leaked', body, [[{ label: 'New secret', action: `rotate:${keyId}` }]]);
}

/** It may have waited for a bot that was off: what it says is what is left now. Null when that is nothing. */
export function trialReminder({ endsAt }: ChatFacts['trial_reminder'], now: EpochMs): Screen | null {
  if (now >= endsAt) return null;
  return plainScreen(
    'trial_reminder',
    [
      [{ bold: `Your Pro trial ends in ${daysLeft(endsAt, now)}.` }],
      [`On ${utcMinute(endsAt)} your keys become Free keys. They keep working, with the limits of Free.`],
    ],
    [],
  );
}

export function trialEnded({ endsAt }: ChatFacts['trial_ended']): Screen {
  return plainScreen(
    'trial_ended',
    [
      [{ bold: 'Your Pro trial has ended.' }],
      [`Since ${utcMinute(endsAt)} your keys are Free keys. They keep working, with the limits of Free.`],
    ],
    [],
  );
}

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

export function tokenRefused({ bot: name, since, detail }: ChatFacts['token_refused']): Screen {
  const { bot, platform, setting } = BOTS[name];
  const body = [
    [{ bold: `${bot} does not work.` }],
    [`${platform} refuses its token, ${setting}, since ${utcMinute(since)}: `, { code: detail }],
    'It is retried at least every 15 minutes. A new token needs a restart.',
  ];
  return plainScreen('token_refused', body, []);
}

export function tokenAccepted({ bot: name, since, until }: ChatFacts['token_accepted']): Screen {
  const { bot, platform } = BOTS[name];
  const body = [
    [{ bold: `${bot} works again.` }],
    `${platform} refused its token from ${utcMinute(since)} to ${utcMinute(until)}.`,
  ];
  return plainScreen('token_accepted', body, []);
}

/** The operator's own words. */
export function operatorText(
  name: 'operator_note' | 'broadcast',
  { text }: { readonly text: string },
): Screen {
  return plainScreen(name, [text], []);
}
