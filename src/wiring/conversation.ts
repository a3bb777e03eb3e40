import { createConversation } from '../../bots/shared/conversation/create-conversation.ts';
import type { ConversationDeps } from '../../bots/shared/conversation/feature.ts';
import type { Conversation } from '../../bots/shared/conversation.ts';
import type { Handle } from '../core/accounts/customers/customer.ts';
import type { ArchiveScheduler } from '../core/alerts/archive/archive-scheduler.ts';
import { Figures } from '../core/alerts/archive/figures.ts';
import { ExitReader } from '../core/alerts/exits/exit-reader.ts';
import type { Clock } from '../core/base/time/clock.ts';
import type { Database } from '../core/database.ts';
import { FollowService } from '../core/follow/follow-service.ts';
import { secureRandom } from '../infra/secrets/key-crypto.ts';

interface ConversationParts
  extends Pick<
    ConversationDeps,
    | 'customers'
    | 'communities'
    | 'destinations'
    | 'logger'
    | 'publicUrl'
    | 'siteUrl'
    | 'contact'
    | 'freeDelayMs'
    | 'feed'
  > {
  readonly database: Database;
  readonly clock: Clock;
  readonly archive: ArchiveScheduler;
  /** Absent without bots. */
  readonly removeFromChats?: RemoveFromChats;
}

/** Removes the messages with keys of a person from the chats of this process's bots. */
export type RemoveFromChats = (handle: Handle) => Promise<void>;

export function keyMessageRemoval(
  { keyMessages }: Pick<Database, 'keyMessages'>,
  removeFromChats: RemoveFromChats = async () => {},
) {
  return async (handles: readonly Handle[]): Promise<number> => {
    await Promise.all(handles.map(removeFromChats));
    return (await keyMessages.inChats(handles.map(({ chat }) => chat))).length;
  };
}

export function wireConversation({
  database,
  clock,
  archive,
  removeFromChats,
  ...parts
}: ConversationParts): Conversation {
  const { usage, alerts, questions, statements, records } = database;
  const { followers, keys } = database;
  const follows = new FollowService({ followers, keys, customers: parts.customers, clock });
  const exits = new ExitReader(database);
  const figures = new Figures({ alerts, clock, archive });
  return createConversation({
    ...{ ...parts, follows, questions, usage, alerts, exits, statements, records, clock, figures, archive },
    random: secureRandom,
    removeKeyMessages: keyMessageRemoval(database, removeFromChats),
  });
}
