import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createFuzzRun } from '../support/fuzz/fuzz-run.ts';
import { requestsFor } from '../support/fuzz/generated-requests.ts';
import { startServiceOverArchive } from '../support/service-over-archive.ts';

/** More of them find more, as `FUZZ_REQUESTS=100000` does in some minutes. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 2_000);
const TIMEOUT_MS = Math.max(60_000, REQUESTS * 20);

test('no generated request is answered 500 or above, outside of its schema, or with anything of the inside', {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-fuzz-'));
  const service = await startServiceOverArchive(`sqlite:${join(folder, 'fuzz.db')}`);
  const run = createFuzzRun({ ...service, connections: 1 });
  onTestFinished(async () => {
    await run.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });
  await fc.assert(fc.asyncProperty(requestsFor(service.document), run.send), { numRuns: REQUESTS });
  expect(service.leaks()).toEqual([]);
  // What was asked reached the handlers, and was refused where it should be.
  for (const status of [200, 304, 401, 404, 405, 422]) expect([...run.statuses.keys()]).toContain(status);
});
