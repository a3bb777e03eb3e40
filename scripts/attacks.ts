import { withAttackedService } from './attacks/attacked-service.ts';
import { cardAttack } from './attacks/card-attack.ts';
import { downloadAttack } from './attacks/download-attack.ts';
import { attackPages } from './attacks/page-attack.ts';
import { readOptions } from './command-line.ts';

const USAGE = `Attacks a service of its own with as much as its limits allow, and checks that other clients still get their answers.

Usage: npm run attacks [-- --only NAME]

  --only NAME    pages:     16 addresses read 290 pages and feeds each, sent ahead, beside /healthz and searches
                 pictures:  two addresses keep asking for cards, beside another
                 downloads: four addresses read files of the log slowly, beside another
                 (default: all of them)`;

const ATTACKS: Readonly<Record<string, () => Promise<boolean>>> = {
  pages: attackPages,
  pictures: () =>
    withAttackedService(async (address) => isHeld(cardAttack, await cardAttack.strike(address))),
  downloads: () =>
    withAttackedService(async (address) => isHeld(downloadAttack, await downloadAttack.strike(address))),
};

const { only } = readOptions(USAGE, { only: undefined });
const names = Object.keys(ATTACKS).filter((name) => only === undefined || name === only);
if (names.length === 0) {
  process.stderr.write(`--only: expected one of ${Object.keys(ATTACKS).join(', ')}, got "${only}"\n`);
  process.exit(2);
}
for (const name of names) if (!(await ATTACKS[name]?.())) process.exitCode = 1;

function isHeld(
  { name }: { readonly name: string },
  { figures, problems }: { readonly figures: readonly string[]; readonly problems: readonly string[] },
): boolean {
  console.log([name, ...figures, problems.join('; ') || 'held'].join('\n  '));
  return problems.length === 0;
}
