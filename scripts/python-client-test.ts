import { execFile } from 'node:child_process';
import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { readOptions } from './command-line.ts';

const GENERATOR = 'openapi-python-client==0.29.1';
const HELP = `Generates a Python client from the OpenAPI document, imports every module of it, and calls every operation of a
running service with it. Skipped where Python or PyPI is not available.

Usage: npm run client-test`;

const CALLS = join(import.meta.dirname, 'python-client/call_operations.py');
/** Without an answer by then PyPI is unavailable. */
const FIRST_CONTACT_MS = 10_000;
const INSTALL_MS = 80_000;
const WHOLE_MS = 120_000;

readOptions(HELP, {});

const run = promisify(execFile);
const deadline = AbortSignal.timeout(WHOLE_MS);
await using temporary = await mkdtempDisposable(join(tmpdir(), 'tipoff-python-client-'));
const folder = temporary.path;
const packages = join(folder, 'packages');
try {
  const problem = await installGenerator();
  const outcome = problem === null ? `${await callOperations()} operations called` : `skipped: ${problem}`;
  console.log(`python client: ${outcome}`);
} catch (error) {
  const { stdout = '' } = error as { stdout?: string };
  console.error(`python client: failed\n${stdout}\n${error}`);
  process.exitCode = 1;
}

/** Installs wheels only: no build step of a package runs. Returns why it is not possible, or null. */
async function installGenerator(): Promise<string | null> {
  const pip = ['-m', 'pip', '--quiet', '--no-input', '--disable-pip-version-check', '--retries=0'];
  const wheels = join(folder, 'wheels');
  const download = ['download', '--no-deps', '--only-binary=:all:', '--dest', wheels, GENERATOR];
  try {
    await run('python3', [...pip, ...download], { timeout: FIRST_CONTACT_MS });
    const [wheel = ''] = await readdir(wheels);
    const install = ['install', '--only-binary=:all:', '--target', packages, join(wheels, wheel)];
    await run('python3', [...pip, ...install], { timeout: INSTALL_MS });
    return null;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') return 'python3 was not found';
    return stderr.trim().split('\n').at(-1) || `pip timed out with ${GENERATOR}`;
  }
}

/** Number of operations that the generated client called. Throws if the client fails. */
async function callOperations(): Promise<number> {
  const [document, config] = [join(folder, 'openapi.json'), join(folder, 'config.json')];
  const service = await startServiceOverArchive(`sqlite:${join(folder, 'client.db')}`);
  try {
    await writeFile(document, JSON.stringify(service.document));
    await writeFile(config, JSON.stringify({ post_hooks: [] }));
    const output = ['--meta', 'none', '--output-path', join(folder, 'tipoff_client')];
    // The generator warns about operations that it omits.
    const input = ['--path', document, '--config', config, '--fail-on-warning'];
    await runPython(['-m', 'openapi_python_client', 'generate', ...input, ...output]);
    const key = { TIPOFF_API_KEY: service.keys.enterprise };
    return Number(await runPython([CALLS, service.address, document], key));
  } finally {
    await service.stop();
  }
}

async function runPython(args: readonly string[], settings: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, ...settings, PYTHONPATH: [packages, folder].join(delimiter), NO_COLOR: '1' };
  return (await run('python3', args, { env, signal: deadline })).stdout;
}
