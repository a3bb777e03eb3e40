import { z } from 'zod';
import type { LogHead } from '../../core/alerts/log/log-entry.ts';
import { LineSplitter, MAX_LINE_BYTES } from '../market/tapes/tape-file.ts';
import { type ServiceClient, ServiceFault } from './service-client.ts';

export interface LogPage {
  readonly items: readonly LogItem[];
  readonly head: LogHead;
  readonly isEnd: boolean;
}

export interface LogItem {
  readonly value: unknown;
  /** The line as it was read; null in a JSON answer, where white space has no meaning. */
  readonly line: string | null;
}

export interface LogSource {
  pages(after: number): AsyncIterable<LogPage>;
}

const PAGE_ENTRIES = 500;
const INDEX = '/log';

const headSchema = z.object({ sequence: z.number().int().min(0), hash: z.string() });
const pageSchema = z.object({ entries: z.array(z.unknown()), head: headSchema });
const monthSchema = z.object({
  month: z.string().regex(/^\d{4}-\d\d$/),
  last_sequence: z.number().int().min(1),
});
const indexSchema = z.object({ months: z.array(monthSchema), head: headSchema });

type JsonClient = Pick<ServiceClient, 'json'>;

export function logOfApi(client: JsonClient): LogSource {
  return {
    async *pages(after) {
      for (let last = after; ; ) {
        const path = `/api/v1/log?after=${last}&limit=${PAGE_ENTRIES}`;
        const { entries, head } = await answerOf(client, path, {
          schema: pageSchema,
          what: 'a page of the log',
        });
        const isEnd = entries.length === 0;
        yield { items: entries.map((value) => ({ value, line: null })), head, isEnd };
        if (isEnd) return;
        last += entries.length;
      }
    },
  };
}

/** The files of the months, `/log/2026-11.jsonl`, which need no key and end at the free delay. To be read once, from the start. */
export function logOfFiles(client: Pick<ServiceClient, 'json' | 'bytes'>): LogSource {
  return {
    async *pages() {
      const { months, head } = await answerOf(client, INDEX, {
        schema: indexSchema,
        what: 'a list of months',
      });
      for (const { month, last_sequence: last } of months) {
        // The part that the index speaks of: the month may have grown since.
        const path = `/log/${month}.jsonl?through=${last}`;
        for await (const items of linesOf(client, path, last)) yield { items, head, isEnd: false };
      }
      yield { items: [], head, isEnd: true };
    },
  };
}

export async function answerOf<Answer>(
  client: JsonClient,
  path: string,
  { schema, what }: { readonly schema: z.ZodType<Answer>; readonly what: string },
): Promise<Answer> {
  const answer = await client.json(path);
  if (answer === null)
    throw new ServiceFault(`${path} answered 404: not a Tipoff service, or a version without the log`);
  const { data, error } = schema.safeParse(answer);
  if (data !== undefined) return data;
  const issue = error?.issues[0];
  const problem = issue === undefined ? 'unknown' : `${issue.path.join('.') || 'body'}: ${issue.message}`;
  throw new ServiceFault(`${path}: the answer is not ${what} (${problem})`);
}

async function* linesOf(
  client: Pick<ServiceClient, 'bytes'>,
  path: string,
  most: number,
): AsyncGenerator<LogItem[]> {
  const chunks = await client.bytes(path);
  if (chunks === null) throw new ServiceFault(`${path} answered 404, although ${INDEX} lists it`);
  const splitter = new LineSplitter(0);
  let count = 0;
  for await (const chunk of chunks) {
    const lines = splitter.push(chunk);
    yield lines.map(({ text }, index) => itemOf(text, `${path} line ${count + index + 1}`));
    count += lines.length;
    if (count > most) throw new ServiceFault(`${path} has more lines than ${most}, its last sequence number`);
  }
  if (splitter.rest() !== null) throw new ServiceFault(`${path} ends within line ${count + 1}`);
}

function itemOf(line: string | null, name: string): LogItem {
  if (line === null) throw new ServiceFault(`${name} is longer than ${MAX_LINE_BYTES} bytes`);
  try {
    return { value: JSON.parse(line) as unknown, line };
  } catch {
    return { value: line, line };
  }
}
