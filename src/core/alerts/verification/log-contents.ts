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

/** The last outcome of a market. */
export interface SettlementEntry extends Settlement {
  readonly sequence: number;
}

/** The detection rules that were activated. */
export interface LoggedRules {
  readonly at: EpochMs;
  readonly version: string;
  readonly sha256: string;
}

/** What the entries that were read say of alerts, outcomes and rules. Of several outcomes of a market the last counts. */
export class LogContents {
  readonly #alerts = new Map<number, LoggedAlert>();
  readonly #outcomes = new Map<string, SettlementEntry>();
  readonly #settlements = new Map<string, SettlementEntry[]>();
  /** Markets whose first outcome was read. */
  readonly #firstRead = new Set<string>();
  readonly #rules: LoggedRules[] = [];
  /** Null while it is not known. */
  #lastAlertId: number | null;
  #outcomeCount = 0;
  #correctionCount = 0;

  /** `isWhole`: it begins with the first entry of the log. */
  constructor({ isWhole }: { readonly isWhole: boolean }) {
    this.#lastAlertId = isWhole ? 0 : null;
  }

  get alerts(): ReadonlyMap<number, LoggedAlert> {
    return this.#alerts;
  }

  /** By market. */
  get outcomes(): ReadonlyMap<string, SettlementEntry> {
    return this.#outcomes;
  }

  /** The outcomes of a market in their order. `isFirstRead`: they begin with its first one. */
  settlementsOf(marketId: string): {
    readonly settlements: readonly SettlementEntry[];
    readonly isFirstRead: boolean;
  } {
    const settlements = this.#settlements.get(marketId) ?? [];
    return { settlements, isFirstRead: this.#firstRead.has(marketId) };
  }

  get rules(): readonly LoggedRules[] {
    return this.#rules;
  }

  /** Entries of kind `outcome` and `correction`. */
  get outcomeCount(): number {
    return this.#outcomeCount;
  }

  get correctionCount(): number {
    return this.#correctionCount;
  }

  /** What does not hold in the body of an entry; kinds that are not known here pass. */
  add(entry: PublishedEntry): LogMismatch | null {
    const { kind } = entry;
    if (kind === 'alert') return this.#addAlert(entry);
    if (kind === 'outcome' || kind === 'correction') return this.#addOutcome(entry);
    return kind === 'rules' ? this.#addRules(entry) : null;
  }

  #addAlert({ sequence, hash, body }: PublishedEntry): LogMismatch | null {
    const { id, market_id: marketId } = body;
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) return wrong(sequence, 'id', 'an integer', id);
    if (typeof marketId !== 'string') return wrong(sequence, 'market_id', 'a text', marketId);
    // Ids are dense, so a missing alert is detected.
    const expected = this.#lastAlertId === null ? id : this.#lastAlertId + 1;
    if (id !== expected) {
      const what = 'it is not the entry of the next alert';
      return { sequence, what, expected: `alert ${expected}`, found: `alert ${id}` };
    }
    this.#lastAlertId = id;
    this.#alerts.set(id, { id, marketId, sequence, hash, body });
    return null;
  }

  #addOutcome({ sequence, kind, body }: PublishedEntry): LogMismatch | null {
    const { market_id: marketId, outcomes, payouts } = body;
    if (typeof marketId !== 'string') return wrong(sequence, 'market_id', 'a text', marketId);
    if (!isListOf(outcomes, 'string')) return wrong(sequence, 'outcomes', 'a list of texts', outcomes);
    if (!isListOf(payouts, 'number')) return wrong(sequence, 'payouts', 'a list of numbers', payouts);
    this.#outcomeCount += 1;
    if (kind === 'correction') this.#correctionCount += 1;
    const settlement = { outcomes: outcomes as string[], payouts: payouts as unknown as number[] };
    const logged = { ...settlement, sequence };
    this.#outcomes.set(marketId, logged);
    const known = this.#settlements.get(marketId);
    if (known !== undefined) known.push(logged);
    else this.#settlements.set(marketId, [logged]);
    if (known === undefined && kind === 'outcome') this.#firstRead.add(marketId);
    return null;
  }

  #addRules({ at, sequence, body: { version, sha256 } }: PublishedEntry): LogMismatch | null {
    if (typeof version !== 'string') return wrong(sequence, 'version', 'a text', version);
    if (typeof sha256 !== 'string') return wrong(sequence, 'sha256', 'a text', sha256);
    this.#rules.push({ at, version, sha256 });
    return null;
  }
}

function isListOf(value: Json | undefined, type: 'string' | 'number'): value is readonly Json[] {
  return Array.isArray(value) && value.every((item) => typeof item === type);
}

function wrong(sequence: number, field: string, expected: string, found: Json | undefined): LogMismatch {
  const shown = found === undefined ? 'nothing' : JSON.stringify(found).slice(0, 100);
  return { sequence, what: `body.${field} is wrong`, expected, found: shown };
}

/** The place where the log, or what it is compared with, does not hold. */
export interface LogMismatch {
  /** The entry; null where it is not one entry. */
  readonly sequence: number | null;
  /** What does not hold, in a few words. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}
