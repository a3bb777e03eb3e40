import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTarget } from '../../scripts/generators/run-target.ts';
import { clientPackages, openapiPythonClient } from '../../scripts/generators/targets.ts';
import { operationsOf } from '../support/fuzz/document-parts.ts';
import { type CheckedAnswer, createOpenapiChecker } from '../support/openapi-checker.ts';
import { type ServiceOverArchive, startServiceOverArchive } from '../support/service-over-archive.ts';

const ROOT = join(import.meta.dirname, '../..');
const STRICT = '--strict --module nodenext --target es2024 --types node --outDir built client.ts'.split(' ');
const INSTALL_MS = 120_000;
const run = promisify(execFile);

let folder = '';
let service: ServiceOverArchive;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tipoff-clients-'));
  service = await startServiceOverArchive(`sqlite:${join(folder, 'api.db')}`);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a client that @hey-api/openapi-ts makes from the served document compiles strictly, and every operation answers it as documented', async () => {
  const { address, document, keys } = service;
  const client = join(folder, 'hey-api');
  await mkdir(client);
  await symlink(join(ROOT, 'node_modules'), join(client, 'node_modules'));
  await writeFile(join(client, 'package.json'), '{"type":"module"}');
  await writeFile(join(client, 'openapi.json'), JSON.stringify(document));
  await copyFile(join(ROOT, 'test/fixtures/generated-client.ts.txt'), join(client, 'client.ts'));
  const generator = join(ROOT, 'test/support/generators/generate-client.ts');
  await run(process.execPath, [generator, 'openapi.json', 'api'], { cwd: client });
  const compiled = await run(join(ROOT, 'node_modules/.bin/tsc'), STRICT, { cwd: client }).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');

  const { stdout } = await run(process.execPath, [join(client, 'built/client.js'), address, keys.enterprise]);
  const { called } = JSON.parse(stdout) as { called: Readonly<Record<string, CheckedAnswer>> };
  const operations = operationsOf(document);
  expect(Object.keys(called).toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
  const check = createOpenapiChecker(document);
  for (const { operationId = '', responses } of operations) {
    const answer = called[operationId] as CheckedAnswer;
    expect.soft([operationId, String(answer.status)]).toEqual([operationId, Object.keys(responses)[0]]);
    expect.soft(check(answer), operationId).toBeNull();
  }
});

test('a client that openapi-python-client makes can be imported, and reads what every operation answers', {
  timeout: 2 * INSTALL_MS,
}, async ({ skip }) => {
  const problem = await clientPackages().then(
    () => null,
    (error: Error) => error,
  );
  if (problem !== null) skip(`Python or PyPI is not available: ${problem.message.slice(-200)}`);
  const { called, problems } = await runTarget(openapiPythonClient, service, folder);
  expect(problems).toEqual([]);
  expect(called).toBe(operationsOf(service.document).length);
});
