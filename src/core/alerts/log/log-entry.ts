import type { EpochMs } from '../../base/time/duration.ts';

/** Kinds of log entries. */
export const LOG_KINDS = ['alert', 'exit', 'settlement', 'correction', 'withdrawal', 'gap', 'rules'] as const;
export type LogKind = (typeof LOG_KINDS)[number];

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
/** A JSON object. */
export type JsonObject = { readonly [name: string]: Json };

/** Whether a JSON value is an object, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An entry of the log, identified by its position and its content: the entry and all entries before it. */
export interface LogHead {
  /** 1, 2, 3 … without a gap; 0 for the empty log. */
  readonly seq: number;
  /** SHA-256 of the entry's canonical bytes, 64 lower-case hexadecimal digits; 64 zeros for the empty log. */
  readonly hash: string;
}

/** The head of a log without entries, and the `previous` of the first entry. */
export const EMPTY_LOG: LogHead = { seq: 0, hash: '0'.repeat(64) };

/** An entry to be appended. */
export interface LogDraft {
  readonly kind: LogKind;
  /**
   * Unique in the log: nothing is entered twice. The key of what recurs (settlements of a market, gaps, rules) ends with the `seq` of the
   * one before it, 0 for the first.
   */
  readonly key: string;
  /** On the source's published clock. The log never goes back in time: an entry gets at least the time of the entry before it. */
  readonly at: EpochMs;
  readonly body: JsonObject;
}

/** An entry of the log. Never changed or deleted. */
export interface LogEntry extends LogDraft, LogHead {
  /** The writer's turn at the lease; never smaller than that of the entry before it. */
  readonly epoch: number;
  readonly previous: string;
}
