import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { CHANNELS } from '../../../src/core/chat/chat-message.ts';
import type { PausableName } from '../../../src/core/operations/pause-flags.ts';
import { type ActCommand, done } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { parseOneArgument, quote } from '../parse-arguments.ts';

export const pauseCommand: ActCommand = {
  kind: 'act',
  name: 'pause',
  isIrreversible: false,
  usage: 'pause NAME',
  description: 'Stops the feed, a channel or a job for a while: feed, channel:telegram, job:…',
  parse: (argument) =>
    parseOneArgument(argument, 'NAME', (text) => async (deps, by) => {
      const name = pausableNamed(deps, text);
      if (name === undefined) return unknown(deps, text);
      return {
        async act() {
          if (await deps.pauses.pause({ name, at: deps.clock.now(), by })) {
            return done(`${name} is paused until it is resumed.`);
          }
          const pause = (await deps.pauses.list()).find((one) => one.name === name);
          const since = pause === undefined ? '' : `, since ${utcMinute(pause.at)} by ${pause.by}`;
          return { refused: `${name} is paused already${since}.` };
        },
      };
    }),
};

export const resumeCommand: ActCommand = {
  kind: 'act',
  name: 'resume',
  isIrreversible: false,
  usage: 'resume NAME',
  description: 'Resumes what is paused',
  parse: (argument) =>
    parseOneArgument(argument, 'NAME', (text) => async (deps) => {
      // What was paused under an earlier build may have a name that is known no more.
      const paused = (await deps.pauses.list()).map(({ name }) => name);
      const name = pausableNamed(deps, text) ?? paused.find((one) => one === text);
      if (name === undefined) return unknown(deps, text);
      return {
        act: async () =>
          (await deps.pauses.resume(name))
            ? done(`${name} is resumed.`)
            : { refused: `${name} is not paused.` },
      };
    }),
};

function pausableNames({ jobs }: Pick<ConsoleDeps, 'jobs'>): readonly PausableName[] {
  return [
    'feed',
    ...CHANNELS.map((channel) => `channel:${channel}` as const),
    ...jobs.names.map((job) => `job:${job}` as const),
  ];
}

function pausableNamed(deps: Pick<ConsoleDeps, 'jobs'>, text: string): PausableName | undefined {
  return pausableNames(deps).find((name) => name === text.toLowerCase() || name === text);
}

function unknown(deps: Pick<ConsoleDeps, 'jobs'>, text: string) {
  return { refused: `${quote(text)} cannot be paused. What can: ${pausableNames(deps).join(', ')}.` };
}
