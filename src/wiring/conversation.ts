import { createConversation } from '../../bots/shared/conversation/create-conversation.ts';
import type { ConversationDeps } from '../../bots/shared/conversation/feature.ts';
import type { Conversation } from '../../bots/shared/conversation.ts';
import type { Visitor } from '../core/accounts/customers/customer.ts';
import { ExitReader } from '../core/alerts/exits/exit-reader.ts';
import type { Database } from '../core/database.ts';
import { FollowService } from '../core/follow/follow-service.ts';
import { secureRandom } from '../infra/secrets/key-crypto.ts';
import type { AppContext } from './app-context.ts';
import { liveFeedOf } from './coverage.ts';
import { wireFigures } from './figures.ts';
import { siteUrlOf, urlInChat } from './public-url.ts';

/** Removes the messages with keys of a person from the chats of this process's bots. */
export type RemoveFromChats = (person: Visitor) => Promise<void>;

export function keyMessageRemoval(
  { keyMessages }: Pick<Database, 'keyMessages'>,
  removeFromChats: RemoveFromChats = async () => {},
) {
  return async (person: Visitor): Promise<number> => {
    await removeFromChats(person);
    return (await keyMessages.inChats([person.chat])).length;
  };
}

interface ConversationParts extends Pick<ConversationDeps, 'communities'> {
  /** Where this process listens; null when it does not. */
  readonly address: string | null;
  /** Absent without bots. */
  readonly removeFromChats?: RemoveFromChats;
}

export function wireConversation(
  context: Pick<AppContext, 'database' | 'clock' | 'customers' | 'config' | 'logger'>,
  { address, removeFromChats, ...parts }: ConversationParts,
): Conversation {
  const { database, clock, customers, logger, config } = context;
  const { usage, alerts, questions, hiddenWallets, records, followers, keys } = database;
  return createConversation({
    ...parts,
    customers,
    questions,
    usage,
    alerts,
    hiddenWallets,
    records,
    clock,
    logger,
    follows: new FollowService({ followers, keys, customers, clock }),
    exits: new ExitReader(database),
    figures: wireFigures(context),
    feed: liveFeedOf(context),
    publicUrl: urlInChat(config.server, address),
    siteUrl: siteUrlOf(config.server),
    contact: config.server.contact,
    freeDelayMs: config.freeDelayMs,
    random: secureRandom,
    removeKeyMessages: keyMessageRemoval(database, removeFromChats),
  });
}
