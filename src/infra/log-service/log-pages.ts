import { z } from 'zod';
import type { LogHead } from '../../core/log/log-entry.ts';
import type { ServiceClient } from './service-client.ts';
import { ServiceFault } from './service-fault.ts';

/** Result of one read: lines of the log, or entries of a JSON answer. */
export interface LogPage {
  readonly items: readonly LogItem[];
  /** The newest entry that the reader may see, as the service states it. */
  readonly head: LogHead;
  /** Whether this is the last page. */
  readonly isEnd: boolean;
}

export interface LogItem {
  readonly value: unknown;
  /** The line as it was read; null in a JSON answer, where white space has no meaning. */
  readonly line: string | null;
}

/** Reads the published log of a service. */
export interface LogSource {
  /** Entries after a sequence number, in order. May begin earlier. */
  pages(after: number): AsyncIterable<LogPage>;
}

const PAGE_ENTRIES = 500;
export const headSchema = z.object({ sequence: z.number().int().min(0), hash: z.string() });
const pageSchema = z.object({ entries: z.array(z.unknown()), head: headSchema });

/** `GET /api/v1/log`, which needs a key. */
export function logOfApi(client: Pick<ServiceClient, 'json'>): LogSource {
  return {
    async *pages(after) {
      for (let last = after; ; ) {
        const path = `/api/v1/log?after=${last}&limit=${PAGE_ENTRIES}`;
        const answer = await client.json(path);
        if (answer === null)
          throw new ServiceFault(`${path} answered 404: not a Tipoff service, or a version without the log`);
        const { data, error } = pageSchema.safeParse(answer);
        if (data === undefined)
          throw new ServiceFault(`${path}: the answer is not a page of the log (${problemOf(error)})`);
        const { entries, head } = data;
        const isEnd = entries.length === 0;
        yield { items: entries.map((value) => ({ value, line: null })), head, isEnd };
        if (isEnd) return;
        last += entries.length;
      }
    },
  };
}

/** The first issue of an invalid answer. */
export function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'unknown' : `${issue.path.join('.') || 'body'}: ${issue.message}`;
}
