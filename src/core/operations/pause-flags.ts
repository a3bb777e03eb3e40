import { z } from 'zod';
import { FailureLog } from '../base/async/failure-log.ts';
import { repeat } from '../base/async/repeat.ts';
import { withTimeout } from '../base/async/with-timeout.ts';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../base/time/duration.ts';

const INTERVAL_MS = SECOND_MS;
const TIMEOUT_MS = 2 * SECOND_MS;

/** What the operator has paused, in memory. While the database is unavailable, the last known state stays in force. */
export class PauseFlags {
  readonly #pauses: Pick<Pauses, 'list'>;
  readonly #clock: Clock;
  readonly #failures: FailureLog;
  #paused: ReadonlySet<PausableName> = new Set();
  #reads = 0;

  constructor(pauses: Pick<Pauses, 'list'>, clock: Clock, logger: Pick<Logger, 'warn'>) {
    this.#pauses = pauses;
    this.#clock = clock;
    this.#failures = new FailureLog(logger, 'pause flags unavailable; the last known ones stay in force');
  }

  /** The state as of the last second. Nothing is paused before the first `look`. */
  readonly isPaused = (name: PausableName): boolean => this.#paused.has(name);

  /** Reads the flags: before anything starts that can be paused, and after a change. Never throws. */
  readonly look = async (): Promise<void> => {
    this.#reads += 1;
    const read = this.#reads;
    const limit = { clock: this.#clock, timeoutMs: TIMEOUT_MS };
    const list = await this.#failures.guard(() => withTimeout(limit, this.#pauses.list()));
    // A later read may have ended before; its result is newer.
    if (list !== null && read === this.#reads) this.#paused = new Set(list.map(({ name }) => name));
  };

  /** Reads the flags every second until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return repeat(this.look, { clock: this.#clock, signal, intervalMs: INTERVAL_MS });
  }
}

/** What the operator can pause: the feed, the channels' posts, personal alerts, and webhooks. */
export const PAUSABLE_NAMES = ['feed', 'posts', 'personal', 'webhooks'] as const;
export type PausableName = (typeof PAUSABLE_NAMES)[number];

/** A pause, with its time and operator. */
export interface Pause {
  readonly name: PausableName;
  readonly at: EpochMs;
  /** The operator, as in the audit log. */
  readonly by: string;
}

const schema = z.strictObject({ id: z.enum(PAUSABLE_NAMES), at: z.int(), by: z.string() });
type PauseDocument = z.infer<typeof schema>;

/** `id` is the name. */
const PAUSES: Declaration<PauseDocument> = { kind: 'switches', schema };

/** The pauses, shared by all processes. */
export class Pauses {
  readonly #documents: Documents<PauseDocument>;

  constructor(open: OpenDocuments) {
    this.#documents = open(PAUSES);
  }

  /** By name. */
  async list(): Promise<readonly Pause[]> {
    const found = await this.#documents.find({ order: 'id' });
    return found.map(({ id: name, at, by }) => ({ name, at, by }));
  }

  /** False when already paused. */
  async pause({ name, at, by }: Pause): Promise<boolean> {
    return (await this.#documents.insertMissing([{ id: name, at, by }])).length === 1;
  }

  /** False when not paused. */
  async resume(name: PausableName): Promise<boolean> {
    return (await this.#documents.delete({ id: name })) === 1;
  }
}
