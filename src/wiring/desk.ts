import { createConversation } from '../../bots/shared/desk/create-desk.ts';
import type { ConversationDeps } from '../../bots/shared/desk/feature.ts';
import type { Conversation } from '../../bots/shared/desk.ts';
import type { ArchiveScheduler } from '../core/archive-scheduler.ts';
import type { Clock } from '../core/clock.ts';
import { createFigures } from '../core/figures.ts';
import type { Database } from '../core/ports/database.ts';
import { secureRandom } from '../infra/key-crypto.ts';

/** What the desk stands on beside a database and a clock. */
export interface ConversationParts
  extends Pick<ConversationDeps, 'customers' | 'communities' | 'logger' | 'publicUrl' | 'freeDelayMs'> {
  readonly database: Database;
  readonly clock: Clock;
  readonly archive: ArchiveScheduler;
}

/** The conversation over a database. */
export function wireConversation({ database, clock, archive, ...parts }: ConversationParts): Conversation {
  const { usage, alerts } = database;
  return createConversation({
    ...parts,
    usage,
    alerts,
    clock,
    figures: createFigures({ alerts, clock, archive }),
    archive,
    random: secureRandom,
  });
}
