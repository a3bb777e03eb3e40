import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runUndisturbed } from '../test/support/crash-run.ts';
import { sampleDayFile } from '../test/support/sample-day.ts';
import { readOptions } from './command-line.ts';

const HELP = `Writes the sample day of GET /sandbox/alerts.json: replays the tape of 2022 and takes the alerts of one day.

Usage: npm run sample-day`;

const FILE = join(import.meta.dirname, '../src/http/views/sample-day.ts');

readOptions(HELP, {});
await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-sample-day-'));
const state = await runUndisturbed(`sqlite:${join(folder.path, 'tape.db')}`);
await writeFile(FILE, sampleDayFile(state));
