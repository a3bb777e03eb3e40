import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';

/** Alarms that operators are notified of. */
export const ALARM_NAMES = [
  'feed_blind',
  'database_away',
  'worker_gone',
  'disk_low',
  'webhook_backlog',
  'messages_unknown',
  'bot_unreachable',
  'telegram_token',
  'telegram_admin_token',
  'discord_token',
] as const;
export type AlarmName = (typeof ALARM_NAMES)[number];

const state = z.strictObject({
  isRaised: z.boolean(),
  /** What was wrong when it was raised. */
  sentence: z.string(),
  since: z.int(),
  /** When the trouble ended; null while the alarm is raised. */
  until: z.int().nullable(),
  /** Number of times that it was raised, each time less than an hour after the previous one ended. */
  raises: z.int(),
  /** Whether the messages about this state are in the outbox. */
  isReported: z.boolean(),
});

/** State of one alarm. It stays after the alarm is over, to count the next ones. */
export interface OperatorAlarm extends Readonly<z.infer<typeof state>> {
  readonly name: AlarmName;
}

const schema = state.extend({ id: z.enum(ALARM_NAMES) });
type AlarmDocument = z.infer<typeof schema>;

/** `id` is the name. */
const ALARMS: Declaration<AlarmDocument> = { kind: 'operator_alarms', schema };

/** The last state of each alarm. */
export class OperatorAlarms {
  readonly #documents: Documents<AlarmDocument>;

  constructor(open: OpenDocuments) {
    this.#documents = open(ALARMS);
  }

  /** By name. */
  async list(): Promise<readonly OperatorAlarm[]> {
    const found = await this.#documents.find({ order: 'id' });
    return found.map(({ id: name, ...alarm }) => ({ name, ...alarm }));
  }

  async put({ name, ...alarm }: OperatorAlarm): Promise<void> {
    await this.#documents.put([{ id: name, ...alarm }]);
  }
}
