import type { EpochMs } from '../../base/time/duration.ts';
import type { FoundExit } from '../../detection/found-exit.ts';
import type { AlertStore } from '../alert-store.ts';
import type { Moment } from '../ledger/ledger.ts';
import { EMPTY_LOG } from '../log/log-entry.ts';
import type { LogStore } from '../log/log-store.ts';
import type { LogWriter } from '../log/log-writer.ts';
import { type Exit, exitDraft } from './exit.ts';
import type { Exits } from './exits.ts';

/** An exit and when it was found. */
export interface DatedExit extends Moment {
  readonly exit: FoundExit;
  /** `FoundExit.alertedAt` on the published clock. */
  readonly alertedAt: EpochMs;
}

interface ExitLedgerDeps {
  readonly exits: Pick<Exits, 'last' | 'after'>;
  readonly log: Pick<LogStore, 'known'>;
  readonly alerts: Pick<AlertStore, 'thread' | 'some'>;
  readonly writer: LogWriter;
}

/** Numbers exits and enters them in the log. */
export class ExitLedger {
  readonly #deps: ExitLedgerDeps;
  #last: Pick<Exit, 'number' | 'createdAt'> = { number: 0, createdAt: 0 };

  constructor(deps: ExitLedgerDeps) {
    this.#deps = deps;
  }

  /** Reads where the exits end. Call it after the log was opened. */
  async open(): Promise<void> {
    const { exits } = this.#deps;
    const [last] = await exits.after((await exits.last()) - 1, 1);
    this.#last = last ?? { number: 0, createdAt: 0 };
  }

  /**
   * Writes the exits that are not stored yet, in order. One whose thread has no published alert is left out: the alerts of
   * changed rules are not published again. Throws `LedgerConflict`.
   */
  async append(found: readonly DatedExit[]): Promise<void> {
    const { log, writer } = this.#deps;
    const known = new Set(await log.known(found.map(({ exit }) => exit.key)));
    const added: Exit[] = [];
    for (const dated of found) {
      if (known.has(dated.exit.key)) continue;
      const exit = await this.#numbered(dated, added.at(-1) ?? this.#last);
      if (exit !== null) added.push(exit);
    }
    if (added.length === 0) return;
    await writer.append(added.map(exitDraft));
    this.#last = added.at(-1) as Exit;
  }

  async #numbered(
    { exit: { isCluster, ...exit }, alertedAt, tradedAt, detectedAt, isHistory }: DatedExit,
    last: Pick<Exit, 'number' | 'createdAt'>,
  ): Promise<Exit | null> {
    const { alerts } = this.#deps;
    const subject = { ...exit, type: isCluster ? 'cluster' : 'fresh', side: 'BUY' } as const;
    const thread = await alerts.some(await alerts.thread(subject));
    // A late sale may be older than the alert.
    const upto = Math.max(tradedAt, alertedAt);
    const before = thread.filter((alert) => alert.tradedAt <= upto);
    const newest = before.at(-1);
    if (newest === undefined) return null;
    const alertIds = before.map(({ id }) => id);
    const { eventTitle, eventSlug, marketEvent, category, outcome } = newest;
    return {
      ...exit,
      eventTitle,
      eventSlug,
      marketEvent,
      category,
      outcome,
      alertIds,
      threadId: alertIds[0] as number,
      tradedAt,
      alertedAt,
      isHistory,
      number: last.number + 1,
      createdAt: Math.max(detectedAt, last.createdAt),
      log: EMPTY_LOG,
    };
  }
}
