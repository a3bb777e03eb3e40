import { type ActCommand, done } from '../command.ts';
import { parseOneArgument, quote } from '../parse-arguments.ts';

export const runJobCommand: ActCommand = {
  kind: 'act',
  name: 'run',
  isIrreversible: false,
  usage: 'run JOB',
  description: 'Runs a job now if something is due for it, without waiting for its time',
  parse: (argument) =>
    parseOneArgument(argument, 'JOB', (text) => async ({ jobs }) => {
      const name = text.replace(/^job:/, '');
      if (!jobs.names.includes(name)) {
        return { refused: `${quote(name)} is no job. Known are ${jobs.names.join(', ')}.` };
      }
      const { run } = jobs;
      if (run === null) {
        return {
          refused: 'No jobs run in this process: give the command to a bot of one that has the role jobs.',
        };
      }
      return {
        async act() {
          const result = await run(name);
          if (result === null) return { refused: `${name} does not run in this process.` };
          if (!result.isRun) return { refused: `${name} ${NOT_RUN[result.reason]}` };
          const { period, outcome } = result;
          return result.isFailed
            ? { refused: `${name} for ${period} failed: ${outcome}` }
            : done(`${name} for ${period}: ${outcome}`);
        },
      };
    }),
};

const NOT_RUN = {
  paused: 'is paused: resume it first.',
  not_due: 'is not due: its newest period is done, or another process is at it.',
};
