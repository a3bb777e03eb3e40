import type {
  DestinationAddress,
  DestinationClient,
  DestinationRequest,
} from '../../src/core/follow/destination.ts';
import type { TestResult } from '../../src/core/follow/destination-service.ts';
import { discordFormat } from '../shared/formats/discord.ts';
import { ntfyFormat } from '../shared/formats/ntfy.ts';
import { slackFormat } from '../shared/formats/slack.ts';
import { plainScreen, type Screen } from '../shared/screen.ts';

/** A request, and how many of the screens it has: the first ones. */
interface PlannedRequest {
  readonly request: DestinationRequest;
  readonly screens: number;
}

/** Sends the first of the screens, as many as fit one message of the service. */
export function sendRequest({ kind, url }: DestinationAddress, screens: readonly Screen[]): PlannedRequest {
  const address = new URL(url);
  const { pathname } = address;
  if (kind === 'ntfy') address.pathname = '/';
  // "when `false` a message that is not saved does not return an error" (docs.discord.com/developers/resources/webhook#execute-webhook)
  if (kind === 'discord') address.searchParams.set('wait', 'true');
  const format = { discord: discordFormat, slack: slackFormat, ntfy: ntfyFormat(pathname.slice(1)) }[kind];
  const { body, screens: count } = format(screens);
  return { request: { method: 'POST', url: address.href, body }, screens: count };
}

/** Changes a message. Of the three only Discord can (docs.discord.com/developers/resources/webhook#edit-webhook-message). */
export function editRequest(
  { url }: DestinationAddress,
  messageId: string,
  screen: Screen,
): DestinationRequest {
  const address = new URL(url);
  address.pathname += `/messages/${messageId}`;
  // An edit takes no flag of silence.
  return { method: 'PATCH', url: address.href, body: discordFormat([{ ...screen, isSilent: false }]).body };
}

/** The id of a message that Discord made; null where there is none. */
export function messageIdIn({ kind }: Pick<DestinationAddress, 'kind'>, text: string): string | null {
  if (kind !== 'discord') return null;
  try {
    const { id } = JSON.parse(text) as { readonly id?: unknown };
    return typeof id === 'string' && /^\d{1,20}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

export const TEST = plainScreen(
  'test',
  [[{ bold: 'Tipoff is connected.' }], 'Your alerts come here from now on. This is a test message.'],
  [],
);

/** Sends a test message; any 2xx is taken for its arrival. */
export async function sendTest(client: DestinationClient, address: DestinationAddress): Promise<TestResult> {
  const answer = await client.send(sendRequest(address, [TEST]).request);
  if ('error' in answer) return { ok: false, reason: 'failed', status: null, error: answer.error };
  const { status } = answer;
  return status >= 200 && status < 300 ? { ok: true } : { ok: false, reason: 'failed', status, error: null };
}
