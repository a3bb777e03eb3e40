/** Something that a bot needs on its platform and does not have. */
export interface MissingItem {
  /** For example `telegram_post_messages`. */
  readonly name: string;
  /** What the operator has to do. */
  readonly remedy: string;
}

/** Something that a bot needs, whether it has it or not. */
export interface SetupItem {
  /** For example `telegram_post_messages`. */
  readonly name: string;
  /** What the operator has to do; null: nothing is missing. */
  readonly remedy: string | null;
}

/** The chats, rights and intents that a bot is configured with. */
export interface BotSetup {
  /**
   * Checks everything; what cannot be checked, because something else is missing, is left out. Throws when the platform does
   * not answer; the error has no token.
   */
  inspect(): Promise<readonly SetupItem[]>;
  /** Posts silently to the channel, edits the post and deletes it. Empty without a channel. Never throws. */
  prove(): Promise<readonly SetupItem[]>;
}

/** The items that are missing. */
export function missingOf(items: readonly SetupItem[]): readonly MissingItem[] {
  return items.flatMap(({ name, remedy }) => (remedy === null ? [] : [{ name, remedy }]));
}
