import { attackPages } from './attacks/page-attack.ts';
import { readOptions } from './command-line.ts';

const USAGE = `Attacks a service of its own with as much as its limits allow: 16 addresses read 290 pages and feeds each, sent ahead,
and /healthz and searches of another client must still be answered in time.

Usage: npm run attacks`;

readOptions(USAGE, {});
if (!(await attackPages())) process.exitCode = 1;
