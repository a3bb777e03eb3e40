import type { DeliveryError } from '../delivery/webhooks/delivery.ts';
import { WEBHOOK_LIMITS } from '../delivery/webhooks/webhook.ts';
import { DISCORD_HOST, NTFY_PATH, SLACK_HOST } from '../delivery/webhooks/webhook-format.ts';
import {
  type IsPublicAddress,
  type WebhookUrlProblem,
  webhookUrlProblem,
} from '../delivery/webhooks/webhook-url.ts';
import type { Destination } from './follower.ts';

/** An address of a service that messages can be sent to. */
export type DestinationAddress = Pick<Destination, 'kind' | 'url'>;

/** Display names of the services. */
export const SERVICE_LABELS: Readonly<Record<Destination['kind'], string>> = {
  discord: 'Discord',
  slack: 'Slack',
  ntfy: 'ntfy',
};

/** Why an address cannot be a destination. `unknown_service`: neither a Discord or Slack webhook nor an ntfy topic. */
export type DestinationProblem = WebhookUrlProblem | 'too_long' | 'unknown_service';

/** One request to a destination. */
export interface DestinationRequest {
  readonly method: 'POST' | 'PATCH';
  readonly url: string;
  /** JSON. */
  readonly body: string;
}

/** The result of a request. `text`: the beginning of the body. `isSent`: the destination may have received it. */
export type DestinationAnswer =
  | { readonly status: number; readonly retryAfterMs: number | null; readonly text: string }
  | { readonly error: DeliveryError; readonly isSent: boolean };

/** Makes one attempt per request, with the same guard as webhooks. Never throws. */
export interface DestinationClient {
  send(request: DestinationRequest): Promise<DestinationAnswer>;
}

const DISCORD_PATH = /^\/api(?:\/v\d+)?\/webhooks\/\d+\/[\w-]+$/;
const SLACK_PATH = /^\/services\/\w+\/\w+\/\w+$/;
/** The parameters that an address may have: the thread of a channel, the token of a protected topic (docs.ntfy.sh/publish/#query-param). */
const PARAMETERS = { discord: ['thread_id'], slack: [], ntfy: ['auth'] } as const;

/**
 * The service that an address belongs to. Webhooks of Discord and Slack are recognised by host and path; any other https address
 * whose path is one name is a topic of ntfy, on ntfy.sh or on a server of one's own.
 */
export function destinationOf(
  text: string,
  isPublic: IsPublicAddress | null,
):
  | { readonly ok: true; readonly address: DestinationAddress }
  | { readonly ok: false; readonly problem: DestinationProblem } {
  const given = text.trim();
  if (given.length > WEBHOOK_LIMITS.urlLength) return { ok: false, problem: 'too_long' };
  const full = /^[\w.-]+\.[a-z]+\//i.test(given) ? `https://${given}` : given;
  const problem = webhookUrlProblem(full, isPublic);
  if (problem !== null) return { ok: false, problem };
  const url = new URL(full);
  const kind = kindOf(url);
  const allowed: readonly string[] = kind === null ? [] : PARAMETERS[kind];
  if (kind === null || [...url.searchParams.keys()].some((name) => !allowed.includes(name)))
    return { ok: false, problem: 'unknown_service' };
  return { ok: true, address: { kind, url: url.href } };
}

function kindOf({ hostname, pathname }: URL): Destination['kind'] | null {
  if (DISCORD_HOST.test(hostname)) return DISCORD_PATH.test(pathname) ? 'discord' : null;
  if (hostname === SLACK_HOST) return SLACK_PATH.test(pathname) ? 'slack' : null;
  return NTFY_PATH.test(pathname) ? 'ntfy' : null;
}

const SHOWN_END = 4;

/**
 * The host and the last characters, at most a quarter of the name: enough to recognise one's own address, but not to post to it.
 */
export function shownAddress({ url }: Pick<Destination, 'url'>): string {
  const { host, pathname } = new URL(url);
  const secret = pathname.slice(pathname.lastIndexOf('/') + 1);
  const end = Math.min(SHOWN_END, Math.floor(secret.length / 4));
  return `${host}/…${end === 0 ? '' : secret.slice(-end)}`;
}
