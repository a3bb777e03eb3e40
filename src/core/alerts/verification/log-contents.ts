import type { EpochMs } from '../../base/time/duration.ts';
import type { Json, JsonObject } from '../log/log-entry.ts';
import type { PublishedEntry } from '../log/seal.ts';
import type { Settlement } from '../settlement.ts';

/** An alert as its entry has it. */
export interface LoggedAlert {
  readonly id: number;
  readonly marketId: string;
  readonly sequence: number;
  readonly hash: string;
  readonly body: JsonObject;
}

/** An exit, or the correction of one, as its entry has it. */
export type LoggedExit = Omit<LoggedAlert, 'id' | 'marketId'> & { readonly number: number };

/** A settlement as its entry has it. */
export interface SettlementEntry extends Settlement {
  readonly sequence: number;
}

/** The detection rules that were activated. */
export interface LoggedRules {
  readonly at: EpochMs;
  readonly version: string;
  readonly sha256: string;
}

/** What the entries say about alerts, exits, settlements and rules. */
export class LogContents {
  readonly alerts = new Map<number, LoggedAlert>();
  readonly exits: LoggedExit[] = [];
  readonly settlements = new Map<string, readonly SettlementEntry[]>();
  readonly rules: LoggedRules[] = [];
  readonly counts = { outcome: 0, correction: 0 };

  settlementOf(marketId: string): SettlementEntry | undefined {
    return this.settlements.get(marketId)?.at(-1);
  }

  /** What is wrong with the body of an entry; unknown kinds pass. */
  add(entry: PublishedEntry): LogMismatch | null {
    const { kind } = entry;
    if (kind === 'alert') return this.#addAlert(entry);
    if (kind === 'outcome' || kind === 'correction') return this.#addSettlement(entry, kind);
    if (kind === 'exit' || kind === 'exit_correction') return this.#addExit(entry);
    return kind === 'rules' ? this.#addRules(entry) : null;
  }

  #addAlert({ sequence, hash, body }: PublishedEntry): LogMismatch | null {
    const wrong = wrongField(sequence, body, ['id', 'market_id']);
    if (wrong !== null) return wrong;
    const { id, market_id: marketId } = body as { readonly id: number; readonly market_id: string };
    // Ids are dense, so a missing alert is detected.
    const expected = this.alerts.size + 1;
    if (id !== expected) {
      const what = 'it is not the entry of the next alert';
      return { sequence, what, expected: `alert ${expected}`, found: `alert ${id}` };
    }
    this.alerts.set(id, { id, marketId, sequence, hash, body });
    return null;
  }

  #addExit({ sequence, hash, kind, body }: PublishedEntry): LogMismatch | null {
    const wrong = wrongField(sequence, body, ['number', 'alert_ids', 'corrects']);
    if (wrong !== null) return wrong;
    const { number, alert_ids: alertIds, corrects } = body as unknown as ExitFields;
    // Numbers are dense, so a missing exit is detected.
    const expected = this.exits.length + 1;
    if (number !== expected) {
      const what = 'it is not the entry of the next exit';
      return { sequence, what, expected: `exit ${expected}`, found: `exit ${number}` };
    }
    const unknown = alertIds.find((id) => !this.alerts.has(id));
    if (unknown !== undefined) {
      const what = 'it is about an alert that is not in the log before it';
      return {
        sequence,
        what,
        expected: `one of alerts 1 to ${this.alerts.size}`,
        found: `alert ${unknown}`,
      };
    }
    const isRight =
      kind === 'exit' ? corrects === null : corrects !== null && corrects >= 1 && corrects < number;
    if (!isRight) {
      const right = kind === 'exit' ? 'null' : 'the number of an earlier exit';
      return {
        sequence,
        what: `body.corrects is wrong in an entry of kind ${kind}`,
        expected: right,
        found: String(corrects),
      };
    }
    this.exits.push({ number, sequence, hash, body });
    return null;
  }

  #addSettlement({ sequence, body }: PublishedEntry, kind: 'outcome' | 'correction'): LogMismatch | null {
    const wrong = wrongField(sequence, body, ['market_id', 'outcomes', 'payouts']);
    if (wrong !== null) return wrong;
    const { market_id: marketId, ...settlement } = body as unknown as Settlement & { market_id: string };
    const { outcomes, payouts } = settlement;
    const known = this.settlements.get(marketId);
    this.counts[kind] += 1;
    this.settlements.set(marketId, [...(known ?? []), { outcomes, payouts, sequence }]);
    return null;
  }

  #addRules({ at, sequence, body }: PublishedEntry): LogMismatch | null {
    const wrong = wrongField(sequence, body, ['version', 'sha256']);
    if (wrong !== null) return wrong;
    const { version, sha256 } = body as { readonly version: string; readonly sha256: string };
    this.rules.push({ at, version, sha256 });
    return null;
  }
}

interface ExitFields {
  readonly number: number;
  readonly alert_ids: readonly number[];
  readonly corrects: number | null;
}

type Check = readonly [expected: string, isRight: (value: Json | undefined) => boolean];

const TEXT: Check = ['a text', (value) => typeof value === 'string'];
const INTEGER: Check = ['an integer', (value) => Number.isSafeInteger(value)];
const CHECKS = {
  id: INTEGER,
  number: INTEGER,
  alert_ids: ['a list of numbers', (value) => isListOf(value, 'number')],
  corrects: ['an integer or null', (value) => value === null || Number.isSafeInteger(value)],
  market_id: TEXT,
  outcomes: ['a list of texts', (value) => isListOf(value, 'string')],
  payouts: ['a list of numbers', (value) => isListOf(value, 'number')],
  version: TEXT,
  sha256: TEXT,
} satisfies Readonly<Record<string, Check>>;

function wrongField(
  sequence: number,
  body: JsonObject,
  fields: readonly (keyof typeof CHECKS)[],
): LogMismatch | null {
  const field = fields.find((name) => !CHECKS[name][1](body[name]));
  if (field === undefined) return null;
  const value = body[field];
  const found = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100);
  return { sequence, what: `body.${field} is wrong`, expected: CHECKS[field][0], found };
}

function isListOf(value: Json | undefined, type: 'string' | 'number'): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type);
}

/** Where the log, or what it is compared with, is wrong. */
export interface LogMismatch {
  /** The entry; null where it is not about a single entry. */
  readonly sequence: number | null;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}
