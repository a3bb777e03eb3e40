import type { EpochMs } from '../../base/time/duration.ts';
import type { FoundExit } from '../../detection/found-exit.ts';
import type { Alert } from '../alert.ts';
import type { AlertStore } from '../alert-store.ts';
import type { Moment } from '../ledger/ledger.ts';
import { exitDraft } from '../ledger/log-drafts.ts';
import { threadKeys } from '../ledger/thread.ts';
import { EMPTY_LOG, type LogHead } from '../log/log-entry.ts';
import { LedgerConflict, type LogWriter } from '../log/log-writer.ts';
import type { Exit, ExitStore } from './exit.ts';

/** An exit and when it was found. */
export interface DatedExit extends Moment {
  readonly exit: FoundExit;
  /** `FoundExit.alertedAt` on the published clock. */
  readonly alertedAt: EpochMs;
}

interface ExitLedgerDeps {
  readonly exits: ExitStore;
  readonly alerts: Pick<AlertStore, 'threads' | 'byId'>;
  readonly writer: LogWriter;
}

/** Numbers exits and enters them in the log, as the ledger does with alerts: rows first, with their positions in the log. */
export class ExitLedger {
  readonly #deps: ExitLedgerDeps;
  #last: Pick<Exit, 'number' | 'createdAt'> = { number: 0, createdAt: 0 };

  constructor(deps: ExitLedgerDeps) {
    this.#deps = deps;
  }

  /** Reads where the exits end. Call it after the log was repaired. */
  async open(): Promise<void> {
    this.#last = (await this.#deps.exits.last()) ?? { number: 0, createdAt: 0 };
  }

  /**
   * Writes the exits that are not stored yet, in order. One whose thread has no published alert is left out: the alerts of
   * changed rules are not published again. Throws `LedgerConflict`.
   */
  async append(found: readonly DatedExit[]): Promise<void> {
    const { exits, writer } = this.#deps;
    const known = await exits.known(found.map(({ exit }) => exit.key));
    const added: Exit[] = [];
    for (const dated of found) {
      if (known.has(dated.exit.key)) continue;
      const exit = await this.#numbered(dated, added.at(-1) ?? this.#last);
      if (exit !== null) added.push(exit);
    }
    if (added.length === 0) return;
    const written = await writer.appendWithRows(added.map(exitDraft), async (positions) => {
      const rows = added.map((exit, index) => ({ ...exit, log: positions[index] as LogHead }));
      if ((await exits.append(...rows)) === 'taken')
        throw new LedgerConflict(`an exit from number ${rows[0]?.number} was written by another process`);
      return rows;
    });
    this.#last = written.at(-1) as Exit;
  }

  async #numbered(
    { exit, alertedAt, tradedAt, detectedAt, isHistory }: DatedExit,
    last: Pick<Exit, 'number' | 'createdAt'>,
  ): Promise<Exit | null> {
    const { alerts } = this.#deps;
    const subject = { ...exit, type: exit.isCluster ? 'cluster' : 'fresh', side: 'BUY' } as const;
    const thread = await alerts.threads(threadKeys(subject));
    // A late sale may be older than the alert.
    const upto = Math.max(tradedAt, alertedAt);
    const alertIds = thread.filter((entry) => entry.tradedAt <= upto).map(({ id }) => id);
    const newestId = alertIds.at(-1);
    if (newestId === undefined) return null;
    const newest = (await alerts.byId(newestId)) as Alert;
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
