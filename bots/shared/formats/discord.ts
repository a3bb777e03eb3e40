import { formatOf, textWithLinks } from './format.ts';
import { toMarkdown } from './markdown.ts';

/** "the message contents (up to 2000 characters)" (docs.discord.com/developers/resources/webhook#execute-webhook). */
const CONTENT = 2_000;
/**
 * docs.discord.com/developers/resources/message#message-object-message-flags; Execute Webhook takes both. Written out: the
 * library takes a second to load, and a service without a bot on Discord does not have it loaded.
 */
const FLAGS = { suppressEmbeds: 1 << 2, suppressNotifications: 1 << 12 } as const;

/** The body of Execute Webhook. It mentions nobody and shows no previews. */
export const discordFormat = formatOf((screen) => ({
  content: toMarkdown(textWithLinks(screen), CONTENT),
  allowed_mentions: { parse: [] },
  flags: FLAGS.suppressEmbeds | (screen.isSilent ? FLAGS.suppressNotifications : 0),
}));
