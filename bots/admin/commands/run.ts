import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { type ActCommand, type Done, done, type Refusal } from '../command.ts';
import type { ConsoleDeps, ConsoleJobs } from '../console-deps.ts';
import { quote } from '../parse-arguments.ts';

export const runJobCommand: ActCommand = {
  kind: 'act',
  name: 'run',
  isIrreversible: false,
  usage: 'run JOB [now]',
  description: 'Runs a job if something is due for it; with “now”, its newest period once more',
  parse(argument) {
    const [text = '', how = '', ...more] = argument.split(/\s+/);
    if (text === '') return { wrong: 'JOB is missing.' };
    const isForced = /^(--)?now$/i.test(how);
    if ((how !== '' && !isForced) || more.length > 0)
      return { wrong: 'Only “now” may stand behind JOB: it runs the job although it is not due.' };
    return async ({ jobs }) => {
      const name = text.replace(/^job:/, '');
      if (!jobs.names.includes(name)) {
        return { refused: `${quote(name)} is no job. Known are ${jobs.names.join(', ')}.` };
      }
      return { needs: 'jobs', act: () => run(jobs, { name, isForced }) };
    };
  },
};

async function run(
  jobs: ConsoleDeps['jobs'],
  { name, isForced }: { readonly name: string; readonly isForced: boolean },
): Promise<Done | Refusal> {
  const result = (await jobs.run?.(name, { isForced })) ?? null;
  if (result === null) return { refused: `${name} does not run in this process.` };
  if (!result.isRun) {
    if (result.reason === 'paused') return { refused: `${name} is paused: resume it first.` };
    return { refused: await notDue(jobs, name) };
  }
  const { period, outcome } = result;
  return result.isFailed
    ? { refused: `${name} for ${period} failed: ${outcome}` }
    : done(`${name} for ${period}: ${outcome}`);
}

async function notDue(jobs: ConsoleJobs, name: string): Promise<string> {
  const last = (await jobs.latest()).find(({ job }) => job === name);
  if (last === undefined) return `${name} is not due.`;
  const { period, startedAt, endedAt, outcome } = last;
  if (endedAt === null)
    return `${name} is not due: another process has been at it since ${utcMinute(startedAt)}, for ${period}.`;
  return `${name} is not due: ${period} is done (${utcMinute(endedAt)}: ${outcome ?? 'done'}). “run ${name} now” runs it once more.`;
}
