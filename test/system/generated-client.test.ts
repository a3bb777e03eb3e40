import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTarget } from '../../scripts/generators/run-target.ts';
import {
  clientPackages,
  heyApi,
  heyApiPackages,
  openapiPythonClient,
} from '../../scripts/generators/targets.ts';
import { operationsOf } from '../support/fuzz/document-parts.ts';
import { startServiceOverArchive } from '../support/service-over-archive.ts';

const INSTALL_MS = 120_000;

test.for([
  ['@hey-api/openapi-ts', heyApi, heyApiPackages],
  ['openapi-python-client', openapiPythonClient, clientPackages],
] as const)(
  'a client that %s makes from the served document compiles, and every operation answers it as documented',
  {
    timeout: 2 * INSTALL_MS,
  },
  async ([, target, install], { skip, onTestFinished }) => {
    const problem = await install().then(
      () => null,
      (error: Error) => error,
    );
    if (problem !== null) skip(`The generator is not available: ${problem.message.slice(-200)}`);
    const folder = await mkdtemp(join(tmpdir(), 'tipoff-clients-'));
    // What one client created or used up is not there for another.
    const service = await startServiceOverArchive(`sqlite:${join(folder, 'api.db')}`);
    onTestFinished(async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    });
    const { called, problems } = await runTarget(target, service, folder);
    expect(problems).toEqual([]);
    expect(called).toBe(operationsOf(service.document).length);
  },
);
