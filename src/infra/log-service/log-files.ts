import { z } from 'zod';
import { type Line, LineSplitter, MAX_LINE_BYTES } from '../sources/line-splitter.ts';
import type { LogItem, LogSource } from './log-pages.ts';
import { headSchema, problemOf } from './log-pages.ts';
import type { ServiceClient } from './service-client.ts';
import { ServiceFault } from './service-fault.ts';

const INDEX = '/log';
const indexSchema = z.object({
  months: z.array(
    z.object({
      month: z.string().regex(/^\d{4}-\d\d$/),
      last_sequence: z.number().int().min(1),
    }),
  ),
  head: headSchema,
});

/** The files of the months, `/log/2026-11.jsonl`, which need no key and end at the free delay. */
export function logOfFiles(client: Pick<ServiceClient, 'json' | 'bytes'>): LogSource {
  return {
    async *pages(after) {
      const answer = await client.json(INDEX);
      if (answer === null)
        throw new ServiceFault(`${INDEX} answered 404: not a Tipoff service, or a version without the log`);
      const { data, error } = indexSchema.safeParse(answer);
      if (data === undefined)
        throw new ServiceFault(`${INDEX}: the answer is not a list of months (${problemOf(error)})`);
      const { months, head } = data;
      for (const { month, last_sequence } of months) {
        if (last_sequence <= after) continue;
        // The part that the index speaks of: the month may have grown since.
        for await (const items of linesOf(
          client,
          `/log/${month}.jsonl?through=${last_sequence}`,
          last_sequence,
        ))
          yield { items, head, isEnd: false };
      }
      yield { items: [], head, isEnd: true };
    },
  };
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
    yield lines.map((line, index) => itemOf(line, `${path} line ${count + index + 1}`));
    count += lines.length;
    if (count > most) throw new ServiceFault(`${path} has more lines than ${most}, its last sequence number`);
  }
  if (splitter.rest() !== null) throw new ServiceFault(`${path} ends within line ${count + 1}`);
}

function itemOf({ text: line }: Line, name: string): LogItem {
  if (line === null) throw new ServiceFault(`${name} is longer than ${MAX_LINE_BYTES} bytes`);
  try {
    return { value: JSON.parse(line) as unknown, line };
  } catch {
    return { value: line, line };
  }
}
