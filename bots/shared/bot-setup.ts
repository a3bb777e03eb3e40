/** Something that a bot needs on its platform and does not have. */
export interface MissingItem {
  /** For example `telegram_post_messages`. */
  readonly name: string;
  /** What the operator has to do. */
  readonly remedy: string;
}

/** Something that a bot needs, whether it has it or not. `remedy`: null when nothing is missing. */
export interface SetupItem {
  readonly name: string;
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

const TEST_POST = 'Tipoff checks that it can post here. This message is deleted immediately.';

interface PostSteps<Post> {
  /** Begins the names of the items, for example `telegram`. */
  readonly prefix: string;
  post(text: string): Promise<Post>;
  edit(post: Post, text: string): Promise<unknown>;
  remove(post: Post): Promise<unknown>;
  readonly remedyOf: (error: unknown) => string;
}

/** A post that is edited and deleted. When it is refused, nothing else is tried. */
export async function provePost<Post>(steps: PostSteps<Post>): Promise<readonly SetupItem[]> {
  const items: SetupItem[] = [];
  const attempt = async <Answer>(step: string, act: () => Promise<Answer>): Promise<Answer | null> => {
    const name = `${steps.prefix}_test_${step}`;
    try {
      const answer = await act();
      items.push({ name, remedy: null });
      return answer;
    } catch (error) {
      items.push({ name, remedy: steps.remedyOf(error) });
      return null;
    }
  };
  const post = await attempt('post', () => steps.post(TEST_POST));
  if (post === null) return items;
  await attempt('edit', () => steps.edit(post, `${TEST_POST} It was edited.`));
  await attempt('delete', () => steps.remove(post));
  return items;
}
