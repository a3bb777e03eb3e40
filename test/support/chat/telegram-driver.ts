import { KEY_COMING } from '../../../bots/telegram/private-chat-handler.ts';
import { TelegramSetup } from '../../../bots/telegram/telegram-setup.ts';
import {
  ATTEMPT_MS,
  FLOOD_SECONDS,
  type OpenRig,
  type RigCall,
  type RigFault,
  type RigMessage,
  type RigPerson,
  type SeenScreen,
} from './driver.ts';
import { CHANNEL, newest, OPERATOR, openTelegramFixture } from './telegram-fixture.ts';
import { privateTap, privateText, publicText, type TelegramUser } from './telegram-person.ts';
import type { TelegramStandIn } from './telegram-stand-in.ts';
import type { Fault, StandInMessage } from './telegram-wire.ts';

/** The bot with polling, as it is by default. */
export const openTelegramRig: OpenRig = async ({ isStarted = true, ...options } = {}) => {
  const times = { attemptMs: ATTEMPT_MS };
  const { telegram, bot, ...fixture } = await openTelegramFixture({ ...options, times });
  telegram.chat = { invite_link: 'https://t.me/+community' };
  if (isStarted) {
    await bot.start();
    await telegram.answered('deleteWebhook');
  }
  const people = new Map<string, TelegramUser>([['op', OPERATOR]]);
  const person = (name: string): RigPerson => {
    const user = people.get(name) ?? { id: 1_000 + people.size, username: name };
    people.set(name, user);
    telegram.meet(user.id);
    return {
      ...createTelegramPerson(telegram, user),
      id: String(user.id),
      messages: () => telegram.messages(user.id).map((message) => toRigMessage(message, user.id)),
      send: (line, times) => void telegram.push(privateText(user, line), times),
      look() {
        const message = { ...newest(telegram, user.id) };
        const dataOf = (label: string) => message.buttons.find(({ text }) => text === label)?.callback_data;
        return { press: (label) => void telegram.push(privateTap(user, message, dataOf(label) ?? '')) };
      },
    };
  };
  return {
    ...{ ...fixture, bot, person },
    setup: new TelegramSetup({ api: fixture.link.api, channel: fixture.channel, operatorIds: [] }),
    operator: () => person('op'),
    publish(text, { isEdit = false, fields = {} } = {}) {
      const kind = isEdit ? 'edited_channel_post' : 'channel_post';
      const { id, update } = publicText({ id: CHANNEL, type: 'channel' }, text, { kind, fields });
      telegram.push(update);
      const isDeletion = ({ method, payload }: TelegramStandIn['calls'][number]) =>
        method === 'deleteMessage' && payload['message_id'] === id;
      return () => !telegram.calls.some(isDeletion);
    },
    inChannel: () => telegram.messages(CHANNEL).map((message) => toRigMessage(message, CHANNEL)),
    fail(call, fault, times = 1) {
      const given = fault === 'deleted' ? deleted(call) : FAULTS[fault];
      telegram.fail(METHODS[call], ...Array.from({ length: times }, () => given));
    },
    calls: (call) => telegram.calls.filter(({ method }) => method === METHODS[call]).length,
    allCalls: () => telegram.calls.length,
  };
};

const METHODS: Readonly<Record<RigCall, string>> = {
  start: 'getMe',
  send: 'sendMessage',
  edit: 'editMessageText',
  remove: 'deleteMessage',
  member: 'getChatMember',
  invitation: 'getChat',
  setup: 'getChat',
};

const FAULTS: Readonly<Record<Exclude<RigFault, 'deleted'>, Fault>> = {
  'server error': { code: 502, description: 'Bad Gateway' },
  lost: 'drop',
  silence: 'hang',
  flood: { code: 429, description: 'Too Many Requests', parameters: { retry_after: FLOOD_SECONDS } },
  blocked: { code: 403, description: 'Forbidden: bot was blocked by the user' },
  'shut out': { code: 403, description: 'Forbidden: bot was kicked from the channel chat' },
  'no right': { code: 400, description: 'Bad Request: not enough rights to send text messages to the chat' },
  'token refused': { code: 401, description: 'Unauthorized' },
  refused: { code: 400, description: 'Bad Request: message text is empty' },
};

function deleted(call: RigCall): Fault {
  const verbs: Partial<Record<RigCall, string>> = { send: 'be replied', edit: 'edit', remove: 'delete' };
  return { code: 400, description: `Bad Request: message to ${verbs[call] ?? ''} not found` };
}

function toRigMessage(message: StandInMessage, chat: number): RigMessage {
  const { text, buttons, preview, isSilent } = message;
  const replyTo = message.replyTo === null ? null : `${chat}:${message.replyTo}`;
  return { text, buttons: labelsOf(buttons), picture: preview?.url ?? null, replyTo, isSilent };
}

function labelsOf(buttons: StandInMessage['buttons']): readonly string[] {
  return buttons.filter((button) => !('copy_text' in button)).map(({ text }) => text);
}

export function createTelegramPerson(telegram: TelegramStandIn, person: TelegramUser) {
  telegram.members.set(person.id, { status: 'member' });
  let newest: StandInMessage | undefined;

  async function after(update: object): Promise<SeenScreen> {
    const before = Math.max(0, ...telegram.messages(person.id).map(({ touched }) => touched));
    telegram.push(update);
    newest = await shownWhole(telegram, person.id, before);
    return { text: readText(newest), buttons: labelsOf(newest.buttons) };
  }

  return {
    command: (command: string, argument = '') => after(privateText(person, `/${command} ${argument}`.trim())),
    async tap(label: string) {
      const data = newest?.buttons.find(({ text }) => text === label)?.callback_data;
      if (newest === undefined || data === undefined) throw new Error(`no button "${label}"`);
      return after(privateTap(person, newest, data));
    },
    type: (text: string) => after(privateText(person, text)),
    setMembership(membership: 'member' | 'not_member' | 'error') {
      const left = { status: membership === 'member' ? 'member' : 'left' };
      telegram.members.set(person.id, membership === 'error' ? 'error' : left);
    },
  };
}

/** The newest message of a chat after the others; one that is to show a key only when it does. */
async function shownWhole(telegram: TelegramStandIn, chat: number, after: number): Promise<StandInMessage> {
  let message = await telegram.shown(chat, after);
  while (message.text === KEY_COMING) message = await telegram.shown(chat, message.touched);
  return message;
}

/** As a person reads it who looks at where links lead. */
function readText({ text, links }: StandInMessage): string {
  return links.reduceRight((read, { offset, length, url }) => {
    const end = offset + length;
    return read.slice(offset, end) === url ? read : `${read.slice(0, end)} (${url})${read.slice(end)}`;
  }, text);
}
