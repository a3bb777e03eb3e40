import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { operationsOf } from '../support/fuzz/document-parts.ts';
import { type CheckedAnswer, createOpenapiChecker } from '../support/openapi-checker.ts';
import { startServiceOverArchive } from '../support/service-over-archive.ts';

const ROOT = join(import.meta.dirname, '../..');
const STRICT = '--strict --module nodenext --target es2024 --types node --outDir built client.ts'.split(' ');
const run = promisify(execFile);

test('a client that @hey-api/openapi-ts makes from the served document compiles strictly, and every operation answers it as documented', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { address, document, keys, stop } = await startServiceOverArchive(`sqlite:${join(folder, 'api.db')}`);
  onTestFinished(stop);

  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  await copyFile(join(ROOT, 'test/fixtures/generated-client.ts.txt'), join(folder, 'client.ts'));
  const generator = join(ROOT, 'test/support/generators/generate-client.ts');
  await run(process.execPath, [generator, 'openapi.json', 'api'], { cwd: folder });
  const compiled = await run(join(ROOT, 'node_modules/.bin/tsc'), STRICT, { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');

  const { stdout } = await run(process.execPath, [join(folder, 'built/client.js'), address, keys.enterprise]);
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
