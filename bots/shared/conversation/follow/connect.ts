import { utcMinute } from '../../../../src/core/base/text/formats.ts';
import {
  type DestinationProblem,
  SERVICE_LABELS,
  shownAddress,
} from '../../../../src/core/follow/destination.ts';
import { type ConnectResult, TEST_LIMIT } from '../../../../src/core/follow/destination-service.ts';
import type { Destination } from '../../../../src/core/follow/follower.ts';
import { type Button, type Paragraph, plainScreen, type Screen } from '../../screen.ts';
import { GET_KEY_BUTTON, MENU_BUTTONS, SETTINGS_BUTTON } from '../buttons.ts';
import type { ConversationDeps, Feature, StepContext } from '../feature.ts';
import { personOf } from './follow-reads.ts';

const CONNECT_BUTTON: Button = { label: 'Connect', action: 'connect' };
const ASK = { action: 'connect_to', label: 'Address' };

/** A person's own address at Discord, Slack or ntfy, where their alerts go instead of the chat. */
export function connectAddress({ destinations }: ConversationDeps): Feature {
  async function connectTo(context: StepContext): Promise<Screen> {
    const result = await destinations.connect(personOf(context), context.argument);
    return result.ok ? connectedScreen(result.destination) : refusedScreen(result);
  }

  return {
    commands: [
      {
        name: 'connect',
        description: 'Send your alerts to Discord, Slack or ntfy',
        argument: { name: 'address', description: 'A webhook of Discord or Slack, or a topic of ntfy' },
      },
    ],
    steps: {
      async connect(context) {
        if (context.argument.trim() !== '') return connectTo(context);
        const state = await destinations.state(personOf(context));
        return state.destination === null ? askScreen(state.isAllowed) : stateScreen(state.destination);
      },
      connect_to: connectTo,
      async connect_test(context) {
        const result = await destinations.test(personOf(context));
        if (!result.ok) return refusedScreen(result);
        return plainScreen(
          'connect_tested',
          ['The test message arrived there.'],
          [[CONNECT_BUTTON, MENU_BUTTONS]],
        );
      },
      async connect_off(context) {
        await destinations.disconnect(personOf(context));
        return plainScreen(
          'connect_off',
          ['Your alerts come here again. I no longer have the address.'],
          [[CONNECT_BUTTON, MENU_BUTTONS]],
        );
      },
    },
    secretSteps: ['connect', 'connect_to'],
  };
}

function askScreen(isAllowed: boolean): Screen {
  const words: readonly (Paragraph | string)[] = [
    [{ bold: 'Your alerts elsewhere' }],
    'I can send your alerts to an address of yours instead of this chat: a webhook of Discord or Slack, or a topic of ntfy.',
  ];
  if (!isAllowed)
    return plainScreen(
      'connect_tier',
      [...words, 'That needs a Pro or Enterprise key.'],
      [[GET_KEY_BUTTON, MENU_BUTTONS]],
    );
  const examples: Paragraph = [
    ...[{ code: 'https://discord.com/api/webhooks/…' }, '\n'],
    ...[{ code: 'https://hooks.slack.com/services/…' }, '\n'],
    { code: 'https://ntfy.sh/your-topic' },
  ];
  return plainScreen(
    'connect',
    [...words, examples, 'Send me the address now. I keep it secret, and send one test message there.'],
    [[SETTINGS_BUTTON, MENU_BUTTONS]],
    ASK,
  );
}

function stateScreen(destination: Destination): Screen {
  return plainScreen(
    'connect_state',
    [
      [`Your alerts go to ${SERVICE_LABELS[destination.kind]}: `, { code: shownAddress(destination) }],
      `Since ${utcMinute(destination.createdAt)}. Send another address to replace it.`,
    ],
    [
      [
        { label: 'Send a test', action: 'connect_test' },
        { label: 'Send them here', action: 'connect_off' },
      ],
      [MENU_BUTTONS],
    ],
    ASK,
  );
}

function connectedScreen(destination: Destination): Screen {
  return plainScreen(
    'connected',
    [
      [{ bold: 'Connected.' }],
      [
        `A test message arrived. Your alerts go to ${SERVICE_LABELS[destination.kind]} from now on: `,
        { code: shownAddress(destination) },
      ],
    ],
    [[CONNECT_BUTTON, MENU_BUTTONS]],
  );
}

function refusedScreen(result: Exclude<ConnectResult, { ok: true }>): Screen {
  if (result.reason === 'free') return askScreen(false);
  return plainScreen(
    `connect_${result.reason}`,
    [reasonWords(result)],
    [[CONNECT_BUTTON, MENU_BUTTONS]],
    result.reason === 'bad_address' ? ASK : null,
  );
}

function reasonWords(result: Exclude<ConnectResult, { ok: true }>): string {
  switch (result.reason) {
    case 'bad_address':
      return `${PROBLEMS[result.problem]} Nothing was changed.`;
    case 'failed': {
      const { status, error } = result;
      const answer =
        status === null ? `did not answer (${error ?? 'no answer'})` : `answered with status ${status}`;
      return `The test message did not arrive: the address ${answer}. Nothing was changed.`;
    }
    case 'limited':
      return `I send at most ${TEST_LIMIT.most} test messages per hour. The next is possible at ${utcMinute(result.until)}.`;
    case 'no_destination':
      return 'No address is connected: your alerts come here.';
    case 'free':
    case 'erased':
      return 'Your data has been deleted. Send /start.';
  }
}

const PROBLEMS: Readonly<Record<DestinationProblem, string>> = {
  not_a_url: 'That is not an address.',
  not_https: 'The address must begin with https://.',
  has_credentials: 'An address with a name and password in it is not accepted.',
  has_fragment: 'An address with # in it is not accepted.',
  internal_name: 'That address is not on the public internet.',
  not_public: 'That address is not on the public internet.',
  reserved_port: 'Ports below 1024 other than 443 are not accepted.',
  too_long: 'That address is too long.',
  unknown_service:
    'I can use webhooks of Discord (discord.com/api/webhooks/…) and Slack (hooks.slack.com/services/…), and topics of ntfy (ntfy.sh/topic, or one on your own server).',
};
