import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE = createRequire(import.meta.url).resolve('@sparticuz/chromium');

export type FoundChromium =
  | { readonly path: string; readonly env: Readonly<Record<string, string>> }
  | { readonly problem: string };

/** The browser that `CHROME_PATH` names, else the Chromium of npm, unpacked where tests write. */
export async function findChromium(): Promise<FoundChromium> {
  const { CHROME_PATH: given } = process.env;
  if (given) return { path: given, env: {} };
  const { platform, arch } = process;
  if (platform === 'linux' && arch === 'x64') return chromiumOfNpm();
  return {
    problem: `the Chromium of npm is for Linux x64, this is ${platform} ${arch}: CHROME_PATH names another`,
  };
}

async function chromiumOfNpm(): Promise<FoundChromium> {
  const folder = await unpacked();
  const path = join(folder, 'chromium');
  await access(path, constants.X_OK).catch((cause: unknown) => {
    throw new Error(`${path} cannot be started: TMPDIR names another folder, CHROME_PATH another browser`, {
      cause,
    });
  });
  const { stdout } = await run('ldd', [path]);
  const libraries = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  return {
    path,
    env: {
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      // NSS and NSPR of the package, where the system has none.
      ...(stdout.includes('not found') ? libraries : {}),
    },
  };
}

/** Its folder. The first test that needs it unpacks it, in two seconds; several may do so at the same time. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(PACKAGE), '../../package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join(tmpdir(), `tipoff-chromium-${version}`);
  if (await isThere(folder)) return folder;
  const own = await mkdtemp(`${folder}-`);
  try {
    await unpack(own);
    await writeFile(join(own, 'fonts.conf'), fontsOf(folder));
    await rename(own, folder);
  } catch (error) {
    if (!(await isThere(folder))) throw error;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return folder;
}

/** In a process of its own: the package unpacks to the folder for temporary files, and its libraries on a host of Amazon only. */
async function unpack(folder: string): Promise<void> {
  const script = `
    import chromium from '@sparticuz/chromium';
    await chromium.executablePath();`;
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'nodejs24.x' };
  await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: import.meta.dirname, env });
}

/** Those of the package come first, so that a line of text is as long on every host. */
function fontsOf(folder: string): string {
  const families = ['system-ui', 'sans-serif', 'serif'].map(
    (name) =>
      `<alias binding="same"><family>${name}</family><prefer><family>Open Sans</family></prefer></alias>`,
  );
  const folders = [join(folder, 'fonts'), '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`);
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>${folders.join('')}<cachedir>${folder}/fonts-cache</cachedir>${families.join('')}</fontconfig>
`;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
