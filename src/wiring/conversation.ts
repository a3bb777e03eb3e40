import { createConversation } from '../../bots/shared/conversation/create-conversation.ts';
import type { ConversationDeps } from '../../bots/shared/conversation/feature.ts';
import type { Conversation } from '../../bots/shared/conversation.ts';
import type { ArchiveScheduler } from '../core/archive/archive-scheduler.ts';
import { Figures } from '../core/archive/figures.ts';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../core/database/database.ts';
import { secureRandom } from '../infra/key-crypto.ts';

interface ConversationParts
  extends Pick<
    ConversationDeps,
    'customers' | 'communities' | 'logger' | 'publicUrl' | 'siteUrl' | 'freeDelayMs' | 'feed'
  > {
  readonly database: Database;
  readonly clock: Clock;
  readonly archive: ArchiveScheduler;
}

/** The conversation over a database. */
export function wireConversation({ database, clock, archive, ...parts }: ConversationParts): Conversation {
  const { usage, alerts, questions, statements } = database;
  const figures = new Figures({ alerts, clock, archive });
  return createConversation({
    ...{ ...parts, questions, usage, alerts, statements, clock, figures, archive },
    random: secureRandom,
  });
}
