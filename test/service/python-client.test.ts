import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../scripts/python-client-test.ts');
const run = promisify(execFile);

test.each([
  ['Python', { PATH: '' }],
  ['PyPI', { PIP_INDEX_URL: 'http://127.0.0.1:9/', PIP_FIND_LINKS: '', PIP_CONFIG_FILE: devNull }],
])('without %s the test of the Python client is skipped, which is no failure', async (_name, missing) => {
  const { stdout } = await run(process.execPath, [SCRIPT], { env: { ...process.env, ...missing } });
  expect(stdout).toMatch(/^python client: skipped: .+\n$/);
});
