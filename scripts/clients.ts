import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { generatedFiles } from './clients/generated-files.ts';
import { readOptions } from './command-line.ts';

const HELP = `Writes what the clients have from the API: clients/openapi.json, and the types and operations of both clients.

Usage: npm run clients`;

readOptions(HELP, {});

const ROOT = join(import.meta.dirname, '..');
await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-clients-'));
const service = await startServiceOverArchive(`sqlite:${join(folder.path, 'clients.db')}`);
await service.stop();
for (const [file, text] of await generatedFiles(service.document)) await writeFile(join(ROOT, file), text);
