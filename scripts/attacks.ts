import type { Attack } from './attacks/attack.ts';
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

const ATTACKS: Readonly<Record<string, Attack>> = { pictures: cardAttack, downloads: downloadAttack };
const NAMES = ['pages', ...Object.keys(ATTACKS)];

const { only } = readOptions(USAGE, { only: undefined });
if (only !== undefined && !NAMES.includes(only)) {
  process.stderr.write(`--only: expected one of ${NAMES.join(', ')}, got "${only}"\n`);
  process.exit(2);
}
const isWanted = (name: string) => only === undefined || name === only;
if (isWanted('pages') && !(await attackPages())) process.exitCode = 1;
const wanted = Object.entries(ATTACKS).flatMap(([name, attack]) => (isWanted(name) ? [attack] : []));
if (wanted.length > 0)
  await withAttackedService(async (address) => {
    for (const { name, strike } of wanted) {
      const { figures, problems } = await strike(address);
      console.log([name, ...figures, problems.join('; ') || 'held'].join('\n  '));
      if (problems.length > 0) process.exitCode = 1;
    }
  });
