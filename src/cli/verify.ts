import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { EMPTY_LOG, type LogHead } from '../core/alerts/log/log-entry.ts';
import { checkEntry, type PublishedEntry, parseEntry } from '../core/alerts/log/seal.ts';
import { retry } from '../core/base/async/retry.ts';
import { escapeControls } from '../core/base/text/escape.ts';
import type { Clock } from '../core/base/time/clock.ts';
import { SECOND_MS } from '../core/base/time/duration.ts';
import { UserError } from '../core/base/user-error.ts';
import { retryAfterMs } from '../infra/outgoing/answer-text.ts';
import { PRODUCT } from '../infra/outgoing/user-agent.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { sha256 } from '../infra/secrets/key-crypto.ts';
import { commandOf } from './command.ts';
import { createTerminal, type Terminal } from './terminal.ts';

export const verifyCommand = commandOf({
  about: `Reads the log of a service from its first entry on, computes every hash again, and compares the log with a head that
you kept. Without such a head it proves nothing about the past: a completely rewritten log is one chain too.`,
  usage: 'verify URL [--head FILE] [--key KEY]',
  operand: { name: 'URL', noun: 'service', help: 'the service, for example https://tipoff.example.com' },
  options: {
    head: {
      type: 'string',
      value: 'FILE',
      help: 'the head that you kept, as NUMBER:HASH; the newest one replaces it if the log extends it,\nand a file that does not exist is created',
    },
    key: {
      type: 'string',
      value: 'KEY',
      help: 'an API key of the service (or TIPOFF_API_KEY); without one, or with a free one, the log is read\nfive minutes late',
    },
  },
  notes: `docs/log.md says what this proves and what it does not. Exit codes: 0 the log is one chain and extends the kept
head, 1 it does not, 2 wrong usage, 3 the service did not answer as expected.`,
  async run({ head, key = process.env['TIPOFF_API_KEY'] }, url) {
    const terminal = createTerminal(process.stdout);
    process.exitCode = await runVerify({
      url,
      key: key || null,
      file: head ?? null,
      terminal,
      clock: systemClock,
    });
  },
});

interface VerifyInput {
  readonly url: string;
  /** Null without one. */
  readonly key: string | null;
  /** The file of the kept head; null without one. */
  readonly file: string | null;
  readonly terminal: Pick<Terminal, 'line' | 'prose' | 'progress'>;
  readonly clock: Clock;
}

/** Resolves to the exit code. Throws a `UserError` for wrong arguments. */
export async function runVerify(input: VerifyInput): Promise<0 | 1 | 3> {
  const { file, terminal } = input;
  const kept = file === null ? null : await readKept(file);
  try {
    const head = await verifiedHead(input, kept);
    if (file !== null) await keep(file, head);
    terminal.line(`${head.seq}:${head.hash}`);
    terminal.prose(`${head.seq} entries are one chain, and every hash is that of its content.`);
    terminal.prose(
      kept === null
        ? 'Without a kept head this proves nothing about the past: keep the one above (--head FILE does).'
        : `The log extends the head ${kept.seq} that you kept: nothing up to there was changed.`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof BrokenLog) && !(error instanceof ServiceFault)) throw error;
    terminal.prose(escapeControls(error.message));
    return error instanceof BrokenLog ? 1 : 3;
  }
}

/** The log is not one chain, or its history was rewritten. */
class BrokenLog extends Error {}

/** The last event that was read, or the empty log. */
type Position = LogHead & Partial<Pick<PublishedEntry, 'at' | 'epoch'>>;

/** Throws a `BrokenLog` or a `ServiceFault`. */
async function verifiedHead(input: VerifyInput, kept: LogHead | null): Promise<LogHead> {
  let last: Position = EMPTY_LOG;
  for (;;) {
    const { events, head } = await readPage(input, last.seq);
    for (const value of events) {
      last = nextEntry(value, last);
      if (last.seq === kept?.seq && !last.hash.startsWith(kept.hash))
        throw new BrokenLog(
          `History was rewritten: entry ${last.seq} has the hash ${last.hash}, and the head that you kept has ${kept.hash}. This entry or one before it was changed, added or removed.`,
        );
    }
    input.terminal.progress(`… entry ${last.seq} of ${head.seq}`);
    if (events.length > 0) continue;
    if (head.seq > last.seq)
      throw new BrokenLog(`The service states ${head.seq} entries, and has none after ${last.seq}.`);
    if (kept !== null && kept.seq > last.seq)
      throw new BrokenLog(
        `The log ends with entry ${last.seq}, before the head ${kept.seq} that you kept: entries were removed. Or without a Pro key, and the head is younger than five minutes: then try again later.`,
      );
    return { seq: last.seq, hash: last.hash };
  }
}

function nextEntry(value: unknown, last: Position): PublishedEntry {
  const entry = parseEntry(value);
  if (entry === null)
    throw new BrokenLog(`Entry ${last.seq + 1} does not have the fields of an entry, or not their form.`);
  const problem = checkEntry(entry, last, sha256);
  if (problem === null) return entry;
  const { field, expected, found } = problem;
  throw new BrokenLog(
    `Entry ${last.seq + 1} does not continue the chain: its ${field} is ${found} instead of ${expected}.`,
  );
}

/** Null when the file does not exist. */
async function readKept(file: string): Promise<LogHead | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new UserError(`--head ${file} cannot be read: ${error.message}`);
  });
  if (text === null) return null;
  // Posts show 32 of the 64 digits.
  const [, seq, hash] = /^(\d{1,15}):([\da-f]{32,64})…?$/.exec(text.trim()) ?? [];
  if (seq === undefined || hash === undefined)
    throw new UserError(`--head ${file}: expected NUMBER:HASH with at least 32 digits of the hash.`);
  return { seq: Number(seq), hash };
}

/** A crash leaves the old file or the new one. */
async function keep(file: string, { seq, hash }: LogHead): Promise<void> {
  try {
    await writeFile(`${file}.part`, `${seq}:${hash}\n`, { flush: true });
    await rename(`${file}.part`, file);
  } catch (error) {
    throw new UserError(`--head ${file} cannot be written: ${(error as Error).message}`);
  }
}

const PAGE_ENTRIES = 500;
const ANSWER_MS = 30 * SECOND_MS;
const ATTEMPTS = 5;
const PAUSE_MS = 2 * SECOND_MS;

const pageSchema = z.object({
  events: z.array(z.unknown()),
  head: z.object({ seq: z.int().min(0) }),
});

/** The service did not answer, or not as a Tipoff service does: nothing was proven. */
class ServiceFault extends Error {
  /** How long to wait before the next attempt; null when another is pointless. */
  readonly pauseMs: number | null;

  constructor(message: string, pauseMs: number | null) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

function readPage({ url, key, clock }: VerifyInput, after: number): Promise<z.infer<typeof pageSchema>> {
  const base = URL.canParse(url) && /^https?:/.test(url) ? url.replace(/\/+$/, '') : null;
  if (base === null)
    throw new UserError(`URL: expected an address like https://tipoff.example.com, got "${url}"`);
  return retry(() => fetchPage(`${base}/api/v1/events?after=${after}&limit=${PAGE_ENTRIES}`, key, clock), {
    clock,
    signal: new AbortController().signal,
    attempts: ATTEMPTS,
    backoff: (error) => (error as ServiceFault).pauseMs ?? 0,
    isFinal: (error) => !(error instanceof ServiceFault) || error.pauseMs === null,
  });
}

async function fetchPage(url: string, key: string | null, clock: Clock): Promise<z.infer<typeof pageSchema>> {
  const answer = await fetch(url, {
    headers: { ...(key !== null && { authorization: `Bearer ${key}` }), 'user-agent': PRODUCT },
    // A redirect may lead to another service.
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: Error) => {
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new ServiceFault(`${url}: no answer (${reason}).`, PAUSE_MS);
  });
  const { status, headers } = answer;
  const isBusy = status === 429 || status === 503;
  const askedMs = retryAfterMs(headers.get('retry-after') ?? undefined, clock.now()) ?? PAUSE_MS;
  if (status !== 200) throw new ServiceFault(`${url} answered ${status}.`, isBusy ? askedMs : null);
  const page = pageSchema.safeParse(await answer.json().catch(() => null));
  if (page.success) return page.data;
  throw new ServiceFault(`${url}: the answer is not a page of a log, or broke off.`, PAUSE_MS);
}
