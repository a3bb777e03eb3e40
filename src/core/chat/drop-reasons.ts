/** Stored errors of messages that were dropped. */
export const MESSAGE_DROP_REASONS = {
  withdrawn: 'its thread was withdrawn',
  superseded: 'a newer alert of its thread takes its place',
  nothingToSay: 'nothing to say',
  shownByCluster: 'shown by the post of its cluster',
  /** The post of its thread showed this alert from the start. */
  shownByPost: 'shown by the post of its thread',
  /** The post to edit was deleted on the platform. */
  gone: 'the post is gone',
} as const;

const AS_INTENDED: ReadonlySet<string | null> = new Set([
  MESSAGE_DROP_REASONS.withdrawn,
  MESSAGE_DROP_REASONS.superseded,
  MESSAGE_DROP_REASONS.nothingToSay,
  MESSAGE_DROP_REASONS.shownByCluster,
  MESSAGE_DROP_REASONS.shownByPost,
]);

/** Whether a message with this error was dropped because other messages show what it would. */
export function isDroppedAsIntended(error: string | null): boolean {
  return AS_INTENDED.has(error);
}
