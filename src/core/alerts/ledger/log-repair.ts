import { canonicalJson } from '../../base/text/canonical-json.ts';
import { UserError } from '../../base/user-error.ts';
import type { Alert } from '../alert.ts';
import type { AlertStore } from '../alert-store.ts';
import type { Exit, ExitStore } from '../exits/exit.ts';
import type { JsonObject, LogDraft, LogHead } from '../log/log-entry.ts';
import type { LogStore } from '../log/log-store.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { MarketSettlement, SettlementStore } from '../settlement.ts';
import { alertDraft, exitDraft, marketSubject, settlementDraft } from './log-drafts.ts';

/** The rows, and the log that records them. */
export interface LogRepairDeps {
  readonly alerts: AlertStore;
  readonly settlements: SettlementStore;
  readonly exits: ExitStore;
  readonly log: Pick<LogStore, 'lastAbout' | 'some'>;
  readonly writer: LogWriter;
  /** The body of an alert's log entry: as published, without fields that change later. */
  readonly alertBody: (alert: Alert) => JsonObject;
}

/** Rows and entries in one read. */
const PAGE = 100;

/**
 * Opens the log, and writes missing entries from their rows: entries of the last group, if the process died before writing them,
 * and earlier ones that the database lost in a crash. Throws a `UserError` if the position of a row does not match its entry, or
 * lies beyond the end of the log.
 */
export async function repairLog(deps: LogRepairDeps): Promise<void> {
  const { alerts, settlements, exits, log, writer } = deps;
  const lastId = (await alerts.last())?.id ?? 0;
  const newest = await withoutEntry(log, lastId, alerts.after);
  const settled = await withoutEntry(log, await settlements.lastSeq(), settlements.after);
  const left = await withoutEntry(log, (await exits.last())?.number ?? 0, exits.after);
  // After reading the rows, so that no row refers to a later entry.
  await writer.open();
  const repairs = [
    ...newest.map((alert) => ofAlert(deps, alert)),
    ...settled.map((row) => ofSettlement(deps, row)),
    ...left.map((exit) => ofExit(deps, exit)),
  ];
  for (const one of repairs.toSorted((a, b) => a.position.sequence - b.position.sequence))
    await repair(deps, one);
}

/** The rows after the newest one whose entry is in the log. `last`: the number of the newest row. */
async function withoutEntry<Row extends { readonly log: LogHead }>(
  log: Pick<LogStore, 'some'>,
  last: number,
  after: (number: number, limit: number) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let upto = last; upto > 0; upto -= PAGE) {
    const rows = await after(Math.max(0, upto - PAGE), Math.min(PAGE, upto));
    const entries = await log.some(rows.map((row) => row.log.sequence));
    const hashes = new Set(entries.map(({ hash }) => hash));
    const matching = rows.findLastIndex((row) => hashes.has(row.log.hash));
    found.unshift(...rows.slice(matching + 1));
    if (matching >= 0) break;
  }
  return found;
}

interface Repair {
  /** The entry of the row, after the entries before it. */
  readonly draft: () => Promise<LogDraft>;
  readonly position: LogHead;
  readonly mark: (position: LogHead) => Promise<void>;
}

function ofAlert({ alerts, alertBody }: LogRepairDeps, alert: Alert): Repair {
  const draft = async () => alertDraft(alert, alertBody(alert));
  return { draft, position: alert.log, mark: (head) => alerts.setLog(alert.id, head) };
}

function ofSettlement({ settlements, log }: LogRepairDeps, row: MarketSettlement): Repair {
  const { log: position } = row;
  const draft = async () => {
    const kind = (await log.lastAbout(marketSubject(row.marketId))) === null ? 'outcome' : 'correction';
    return settlementDraft(kind, row, position.at);
  };
  return { draft, position, mark: (head) => settlements.put({ ...row, log: { ...head, at: position.at } }) };
}

function ofExit({ exits }: LogRepairDeps, exit: Exit): Repair {
  const draft = async () => exitDraft(exit);
  return { draft, position: exit.log, mark: (head) => exits.setLog(exit.number, head) };
}

async function repair({ log, writer }: LogRepairDeps, missing: Repair): Promise<void> {
  const { mark } = missing;
  const { sequence, hash } = missing.position;
  const draft = await missing.draft();
  const known = await log.lastAbout(draft.subject);
  if (known?.hash === hash) return;
  const end = writer.head.sequence;
  if (sequence > end + 1)
    throw new UserError(
      `The log ends with entry ${end}, but ${draft.subject} is entry ${sequence}: entries are missing. Restore the whole database from one backup.`,
    );
  // A process that had lost the lease wrote the row, and another process has used its position.
  const isTaken = sequence <= end;
  if (isTaken && known !== null && canonicalJson(known.body) === canonicalJson(draft.body))
    return mark({ sequence: known.sequence, hash: known.hash });
  await writer.appendWithRows([draft], async ([position]) => {
    const head = position as LogHead;
    if (isTaken) await mark(head);
    else if (head.hash !== hash)
      throw new UserError(
        `Entry ${sequence} of the log is missing, and ${draft.subject} does not make it: its hash is ${head.hash}, not ${hash}. Restore the whole database from one backup.`,
      );
  });
}
