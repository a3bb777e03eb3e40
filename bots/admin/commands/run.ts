import { type ActCommand, done } from '../command.ts';
import { quote, something } from '../typed.ts';

export const runCommand: ActCommand = {
  kind: 'act',
  name: 'run',
  isIrreversible: false,
  usage: 'run JOB',
  description: 'Runs a job now, besides its times',
  parse: (argument) =>
    something(argument, 'JOB', (text) => async ({ jobs }) => {
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
        question: null,
        async act() {
          const { outcome, isFailed } = await run(name);
          return isFailed ? { refused: `${name} failed: ${outcome}` } : done(`${name}: ${outcome}`);
        },
      };
    }),
};
