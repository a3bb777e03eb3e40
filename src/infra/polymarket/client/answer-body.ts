import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';

const unzip = promisify(gunzip);

/** The body as it was sent, of at most so many bytes; rejects with what `tooLong` makes of a longer one. */
export async function bytesOf(
  { body }: Pick<Dispatcher.ResponseData, 'body'>,
  mostBytes: number,
  tooLong: () => Error,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > mostBytes) throw tooLong();
  }
  return Buffer.concat(chunks);
}

/** The text of a body, which may be gzipped; rejects when it cannot be unzipped to at most so many bytes. */
export async function textOf(
  { headers }: Pick<Dispatcher.ResponseData, 'headers'>,
  bytes: Buffer,
  mostBytes: number,
): Promise<string> {
  const isZipped = headers['content-encoding'] === 'gzip';
  return (isZipped ? await unzip(bytes, { maxOutputLength: mostBytes }) : bytes).toString('utf8');
}
