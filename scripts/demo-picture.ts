import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { terminalSvg } from './picture/terminal-svg.ts';

const ROOT = join(import.meta.dirname, '..');
const DEMO = join(ROOT, 'src/cli/demo.ts');
/** The recorded output of the demo, with its colours, and the picture of it that the README shows. */
export const RECORDING = 'docs/images/demo.ansi';
export const PICTURE = 'docs/images/demo.svg';
const TITLE = 'Output of npx tipoff demo --exit';
/** The picture ends where the table of the output begins. */
const TABLE = '\nFrom the record';

/** What `npx tipoff demo --exit` prints on a terminal with colours. */
export async function recordDemo(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [DEMO, '--exit'], {
    cwd: ROOT,
    env: { ...process.env, FORCE_COLOR: '1', NO_COLOR: undefined, NODE_DISABLE_COLORS: undefined },
  });
  return stdout;
}

/** The picture of a recording: the command, the conclusion and the strongest alerts. */
export function demoPicture(recording: string): string {
  const [shown = ''] = recording.split(TABLE);
  return terminalSvg(`\x1b[32m$\x1b[39m npx tipoff demo --exit\n${shown}`, TITLE);
}

if (import.meta.main) {
  const recording = await recordDemo();
  await writeFile(join(ROOT, RECORDING), recording);
  await writeFile(join(ROOT, PICTURE), demoPicture(recording));
}
