/** Format of a webhook's events: JSON for programs (contract), or human-readable messages in the format of a service. */
export const WEBHOOK_FORMATS = ['json', 'discord', 'slack', 'ntfy'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];
/** The formats of human-readable messages. */
export type MessageFormat = Exclude<WebhookFormat, 'json'>;

/** Where a message goes, and how it is written there. */
export interface MessageAddress {
  readonly url: string;
  readonly format: MessageFormat;
}

/**
 * Writes one message for an address. Returns the URL of the request, which may differ from the webhook's, and its JSON body. If
 * it throws, the delivery is cancelled.
 */
export type WriteMessage = (to: MessageAddress) => { readonly url: string; readonly body: string };

/** The bodies of the deliveries of an event. */
export interface EventBodies<Event> {
  /** JSON for programs. */
  serialise(event: Event): string;
  /** The human-readable message; null when there is nothing to say. Throws what the stores throw. */
  messageOf(event: Event): Promise<WriteMessage | null>;
}

/** docs.discord.com/developers/resources/webhook; canary and ptb are Discord's test versions, discordapp.com its former name. */
export const DISCORD_HOST = /^(?:(?:canary|ptb)\.)?discord(?:app)?\.com$/;
/** docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const SLACK_HOST = 'hooks.slack.com';
/** A topic's name, as ntfy allows it (github.com/binwiederhier/ntfy, server/server.go, topicRegex). */
export const NTFY_PATH = /^\/[-_A-Za-z0-9]{1,64}$/;

/** Why nothing could ever be delivered: the address accepts only another format, or its path is not a single topic. */
export type FormatProblem = 'takes_discord' | 'takes_slack' | 'not_a_topic';

/** Judges the format for an address that `webhookUrlProblem` allows; null: no problem. */
export function formatProblem(url: string, format: WebhookFormat): FormatProblem | null {
  const { hostname, pathname } = new URL(url);
  if (hostname === SLACK_HOST) return format === 'slack' ? null : 'takes_slack';
  if (DISCORD_HOST.test(hostname)) {
    // docs.discord.com/developers/resources/webhook#execute-slackcompatible-webhook
    const taken = pathname.endsWith('/slack') ? 'slack' : 'discord';
    return format === taken ? null : `takes_${taken}`;
  }
  return format !== 'ntfy' || NTFY_PATH.test(pathname) ? null : 'not_a_topic';
}
