import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { demoAccess, makeDemoFolder, publishAccess } from '../../src/cli/demo-folder.ts';

const OTHER_USER = 12_345;
const ACCESS = { url: 'http://127.0.0.1:8080', key: 'sk_live_x' };

async function ownTemporary() {
  const folder = await mkdtemp(join(tmpdir(), 'test-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
}

test('the demo that was started last is found', async () => {
  await ownTemporary();
  expect(await demoAccess()).toBeNull();
  await publishAccess(await makeDemoFolder(), ACCESS);
  expect(await demoAccess()).toEqual(ACCESS);
});

// Only root can give a folder away.
test.skipIf(process.getuid?.() !== 0)('a folder that another user made is not that of a demo', async () => {
  await ownTemporary();
  const folder = await makeDemoFolder();
  await publishAccess(folder, ACCESS);
  await chown(folder, OTHER_USER, OTHER_USER);
  expect(await demoAccess()).toBeNull();
});
