import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Compresses the lines of a journal batch for storage. Throws if a line contains a line end. */
export async function packLines(lines: readonly string[]): Promise<Buffer> {
  if (lines.some((line) => line.includes('\n'))) throw new Error('A row of the journal must be one line.');
  return zip(lines.join('\n'));
}

export async function unpackLines(packed: Uint8Array): Promise<readonly string[]> {
  return (await unzip(packed)).toString('utf8').split('\n');
}
