import type { Screen } from '../../bots/shared/screen.ts';
import { FailureLog } from '../core/base/async/failure-log.ts';
import { repeat } from '../core/base/async/repeat.ts';
import { SECOND_MS } from '../core/base/time/duration.ts';
import type { Recipient } from '../core/chat/chat-message.ts';
import { MessageSender } from '../core/chat/message-sender.ts';
import type { Messenger } from '../core/chat/messenger.ts';
import { PersonalSender } from '../core/chat/personal-sender.ts';
import { isAlive } from '../core/operations/worker-report.ts';
import { processOwner } from '../infra/process/process-owner.ts';
import type { AppContext } from './app-context.ts';
import { wirePersonalChoice, wirePresenter } from './outbox.ts';

const INTERVAL_MS = SECOND_MS;
const NO_SERVICE =
  'What you follow is not being watched: no service runs on this database. Start one beside this chat (npm start) to get your alerts here.';

interface TerminalMessagesOptions
  extends Pick<AppContext, 'database' | 'customers' | 'config' | 'clock' | 'logger'> {
  /** The name of the person on the terminal. */
  readonly userId: string;
  readonly messenger: Messenger<Screen>;
  readonly notify: (text: string) => Promise<void>;
}

/** Sends one person on a terminal what is due for them, as the bots do elsewhere: from this process, which has the terminal. */
export class TerminalMessages {
  readonly #options: TerminalMessagesOptions;
  readonly #senders: readonly PersonalSender<Screen>[];
  #isServed = true;

  constructor(options: TerminalMessagesOptions) {
    const { database, customers, clock, messenger } = options;
    this.#options = options;
    const sender = new MessageSender<Screen>({
      store: database.chat,
      clock,
      logger: options.logger,
      present: wirePresenter(options),
      owner: processOwner(),
      random: Math.random,
    });
    const choice = wirePersonalChoice(options);
    this.#senders = (['first', 'later'] as const).map(
      (rank) =>
        new PersonalSender({
          lane: `personal:terminal:${rank}`,
          store: database.chat,
          messenger,
          sender,
          choice,
          customers,
          clock,
        }),
    );
  }

  /** Sends what is due every second, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const failures = new FailureLog(logger, 'messages unavailable; retrying every second');
    await repeat(() => this.sendDue(signal), { clock, signal, intervalMs: INTERVAL_MS, failures });
  }

  /** Sends all that is due now. Says once that nobody looks for anything, when the person follows something. */
  async sendDue(signal?: AbortSignal): Promise<void> {
    const { database, userId } = this.#options;
    const person = await database.customers.byPerson({ platform: 'terminal', userId });
    if (person === null) return;
    const recipient: Recipient = `customer:${person.id}`;
    for (const sender of this.#senders) {
      let isMore = true;
      while (isMore && signal?.aborted !== true) isMore = (await sender.serve(recipient)).isOurs;
    }
    await this.#watchService(person.id);
  }

  async #watchService(customerId: string): Promise<void> {
    const { database, clock, notify } = this.#options;
    const follower = await database.followers.get(customerId);
    if (follower === null || follower.follows.length === 0) return;
    const isServed = isAlive(await database.worker.get(), clock.now());
    if (this.#isServed && !isServed) await notify(NO_SERVICE);
    this.#isServed = isServed;
  }
}
