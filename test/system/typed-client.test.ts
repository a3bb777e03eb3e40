import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

test('a typed client made from the served document compiles strictly and passes a round trip', async () => {
  const { baseUrl, append, issue, clock } = await startApi();
  await append(alertOf({ id: 1 }), alertOf({ id: 2 }));
  await clock.advance(60_000);
  const { secret } = await issue({ tier: 'pro' });
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await copyFile(join(ROOT, 'test/fixtures/typed-client.ts.txt'), join(folder, 'client.ts'));

  const generator = join(ROOT, 'test/support/generators/generate-types.ts');
  const { stdout: types } = await run(process.execPath, [generator, `${baseUrl}/api/v1/openapi.json`]);
  await writeFile(join(folder, 'api.ts'), types);
  const flags =
    '--strict --noEmit --module nodenext --target es2024 --types node --allowImportingTsExtensions';
  const compiled = await run(
    join(ROOT, 'node_modules/.bin/tsc'),
    [...flags.split(' '), '--exactOptionalPropertyTypes', 'client.ts'],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe('');

  const { stdout } = await run(process.execPath, [join(folder, 'client.ts'), baseUrl, secret]);
  expect(JSON.parse(stdout)).toEqual({
    newest: 2,
    age: 1,
    total: 2,
    score: 72,
    tier: 'pro',
    refusal: { detail: 'Alert 999999 was not found.', code: 'alert_not_found' },
    status: 404,
    hot: 1,
    alerts: 2,
    preset: 'Loud',
    previewed: 2,
    edge: null,
    hook: [403, { detail: 'Webhooks need the enterprise tier; this key is pro.', code: 'tier_required' }],
    hooks: [403, 403, 403],
    unknown: true,
    received: 2,
  });
});
