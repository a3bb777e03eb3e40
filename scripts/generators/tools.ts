import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { accepted } from '../support/tools.ts';

export function cacheFolder(name: string): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tipoff', 'generators', name);
}

export const PIP = ['-m', 'pip', '--quiet', '--no-input', '--disable-pip-version-check', '--retries=0'];

export function pythonPackages(requirements: readonly string[], timeoutMs?: number): Promise<string> {
  const install = [...PIP, 'install', '--only-binary=:all:', '--target'];
  return installedOnce(requirements, (folder) =>
    accepted('python3', [...install, folder, ...requirements], { timeoutMs }),
  );
}

export function nodePackages(requirements: readonly string[]): Promise<string> {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'];
  return installedOnce(requirements, async (folder) => {
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    await accepted('npm', ['install', '--silent', ...flags, ...requirements], { cwd: folder });
  });
}

async function installedOnce(
  requirements: readonly string[],
  install: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = cacheFolder(requirements.join('+').replaceAll(/[^\w.=+-]/g, ''));
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  try {
    await install(made);
    // Another run may have been faster: its packages are the same.
    await rename(made, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
