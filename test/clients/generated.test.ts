import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../scripts/clients/generated-files.ts';
import { startWithDocument } from '../support/documented-api.ts';

const ROOT = join(import.meta.dirname, '../..');

test('the document, types and operations of the clients are those of the service: `npm run clients` writes them', async () => {
  const { document } = await startWithDocument();
  for (const [file, text] of await generatedFiles(document)) {
    const written = await readFile(join(ROOT, file), 'utf8').catch(() => null);
    // Not a comparison of texts: its output would be thousands of lines.
    expect.soft(written === text, `${file} is stale: run \`npm run clients\``).toBe(true);
  }
});
