import { z } from 'zod';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import { UserError } from '../../../core/base/user-error.ts';
import type { SourceRow } from '../../../core/trades/source/source.ts';
import type { Row } from '../../../core/trades/trade.ts';
import { type BadRow, badRow, badRowOf, createDropReport, isPlausibleTime, millisOf } from './bad-row.ts';
import { parseMarket } from './market-row.ts';
import type { SourceDeps } from './source-deps.ts';
import { type Line, LineSplitter } from './tape-file.ts';
import { idSchema, isObject, parseJson, parseMoment, type RawRow } from './text-fields.ts';
import { parseTrade } from './trade-row.ts';

export function parseLine(line: string, now: EpochMs): Row | BadRow {
  const value = parseJson(line);
  return value === undefined ? badRow('not_json', line) : parseRow(value, now);
}

export function parseRow(value: unknown, now: EpochMs): Row | BadRow {
  if (!isObject(value)) return badRow('unknown_kind', Array.isArray(value) ? 'array' : typeof value);
  if ('side' in value) return parseTrade(value, now);
  if ('question' in value) return parseMarket(value, now);
  if ('proxyWallet' in value) return parseWallet(value, now);
  if ('close' in value) return parseClose(value, now);
  return badRow('unknown_kind', Object.keys(value).slice(0, 5).join(', '));
}

/** A wallet's profile date and number of traded markets; one of them may be missing. */
const walletSchema = z.object({
  proxyWallet: idSchema,
  createdAt: z.string().nullish(),
  traded: z.int().min(0).nullish(),
  at: z.number().nullish(),
});

export function parseWallet(raw: RawRow, now: EpochMs): Row | BadRow {
  const { success, data, error } = walletSchema.safeParse(raw);
  if (!success) return badRowOf(raw, error);
  if (data.createdAt === undefined && data.traded === undefined) return badRow('missing_field', 'createdAt');
  const createdAt = data.createdAt == null ? null : parseMoment(data.createdAt);
  if (createdAt === null && data.createdAt != null) return badRow('wrong_type', 'createdAt');
  const at = millisOf(data.at);
  if (!isPlausibleTime(at, now)) return badRow('bad_time', 'at');
  const facts = { wallet: data.proxyWallet.toLowerCase(), createdAt, marketsTraded: data.traded ?? null };
  return { kind: 'wallet', at, facts };
}

/** The orders of all trades before it are complete; `close` is the last second it closes. */
const closeSchema = z.object({ close: z.number() });

function parseClose(raw: RawRow, now: EpochMs): Row | BadRow {
  const { success, data, error } = closeSchema.safeParse(raw);
  if (!success) return badRowOf(raw, error);
  const at = Math.round(data.close * 1_000);
  return isPlausibleTime(at, now) ? { kind: 'close', at } : badRow('bad_time', 'close');
}

/** When the live feed of a recording accepted this row; null when the row has no plausible time. */
function acceptedAtOf(value: unknown, now: EpochMs): EpochMs | null {
  const acceptedAt = isObject(value) ? value['acceptedAt'] : undefined;
  const isMoment = typeof acceptedAt === 'number' && isPlausibleTime(acceptedAt, now);
  return isMoment ? Math.round(acceptedAt) : null;
}

const headerSchema = z.object({
  tape: z.object({ history: z.enum(['complete', 'partial']).default('partial') }),
});
type TapeHeader = z.infer<typeof headerSchema>['tape'];

export function parseHeader(line: string): TapeHeader | null {
  return headerSchema.safeParse(parseJson(line)).data?.tape ?? null;
}

export function headerOf(head: Buffer): TapeHeader | null {
  const end = head.indexOf('\n');
  return parseHeader(head.toString('utf8', 0, end < 0 ? head.length : end).replace(/^\uFEFF/, ''));
}

export class RowReader {
  readonly #deps: SourceDeps;
  readonly #onHeader: (header: TapeHeader) => void;
  readonly #report: (bad: BadRow, offset: number) => void;
  #isFirstLine = true;

  constructor(deps: SourceDeps, source: string, onHeader: (header: TapeHeader) => void = () => {}) {
    this.#deps = deps;
    this.#onHeader = onHeader;
    this.#report = createDropReport(deps, source);
  }

  begin(offset: number): void {
    this.#isFirstLine = offset === 0;
  }

  read(lines: readonly Line[]): SourceRow[] {
    const rows: SourceRow[] = [];
    const now = this.#deps.clock.now();
    for (const { text, end } of lines) {
      if (text !== null && (this.#isHeader(text) || text.trim() === '')) continue;
      const value = text === null ? undefined : parseJson(text);
      const row = value === undefined ? noRow(text) : parseRow(value, now);
      if (row.kind === 'bad') this.#report(row, end);
      else rows.push(sourceRow(row, end, acceptedAtOf(value, now)));
    }
    return rows;
  }

  #isHeader(text: string): boolean {
    if (!this.#isFirstLine) return false;
    this.#isFirstLine = false;
    const header = parseHeader(text);
    if (header !== null) this.#onHeader(header);
    return header !== null;
  }
}

function sourceRow(row: Row, offset: number, acceptedAt: EpochMs | null): SourceRow {
  return acceptedAt === null ? { row, offset } : { row, offset, acceptedAt };
}

function noRow(text: string | null): BadRow {
  return text === null ? badRow('too_long', 'line') : badRow('not_json', text);
}

/** Throws a `UserError` if none of the first lines, which begin with `head`, is a row or a header. */
export function assertTape(name: string, head: Buffer): void {
  const lines = new LineSplitter(0).push(head).flatMap(({ text }) => text?.trim() || []);
  if (lines.length === 0 || lines.some(isOfTape)) return;
  throw new UserError(
    `${name}: not a tape: none of its first lines is a row; expected a .jsonl or .jsonl.gz file ` +
      'with one JSON object per line (docs/tapes.md)',
  );
}

function isOfTape(line: string): boolean {
  if (parseHeader(line) !== null) return true;
  const row = parseLine(line, 0);
  return row.kind !== 'bad' || (row.reason !== 'not_json' && row.reason !== 'unknown_kind');
}
