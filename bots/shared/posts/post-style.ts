import type { Channel } from '../../../src/core/chat/chat-message.ts';

interface PostStyle {
  /** Characters of a digest, with some left for the headings of its lists. */
  readonly digestRoom: number;
  readonly hasHashtags: boolean;
  /** Whether a link to the bot carries a command (core.telegram.org/bots/features#deep-linking). */
  readonly hasDeepLinks: boolean;
}

export const POST_STYLES: Readonly<Record<Channel, PostStyle>> = {
  telegram: { digestRoom: 4_000, hasHashtags: true, hasDeepLinks: true },
  discord: { digestRoom: 1_900, hasHashtags: false, hasDeepLinks: false },
};
