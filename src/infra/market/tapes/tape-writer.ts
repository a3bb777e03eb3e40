import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { UserError } from '../../../core/base/user-error.ts';

/** Opens a new tape. Throws a `UserError` when the file exists or cannot be written; `isForced` replaces an existing file. */
export async function createTapeWriter(file: string, isForced: boolean) {
  const part = `${file}.part`;
  if (!/\.jsonl(\.gz)?$/.test(file))
    throw new UserError(`${file}: expected a name that ends in .jsonl or .jsonl.gz`);
  if (!isForced && existsSync(file))
    throw new UserError(`${file}: there is such a file. Name another, or replace it with --force.`);
  const handle = await open(part, isForced ? 'w' : 'wx').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(problemOf(part, error), { cause: error });
  });
  return {
    /** Name of the file until it is finished. */
    part,
    /** Writes all of the text to disk, compressed when the name ends in .gz. */
    async write(text: AsyncIterable<string>): Promise<void> {
      const target = createWriteStream(part, { fd: handle, flush: true });
      if (file.endsWith('.gz')) await pipeline(text, createGzip(), target);
      else await pipeline(text, target);
    },
    /** Gives the file its final name. */
    finish: () => rename(part, file),
    /** Deletes the unfinished file. */
    discard: () => rm(part, { force: true }),
  };
}

function problemOf(part: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST')
    return `${part}: another recorder writes it, or one was killed. Remove it if none runs, or replace it with --force.`;
  if (code === 'ENOENT') return `${part}: there is no such folder`;
  return `${part}: expected a file that can be written (${message})`;
}
