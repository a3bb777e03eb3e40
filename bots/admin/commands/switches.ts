import { utcMinute } from '../../../src/core/alert-words.ts';
import { CHANNELS } from '../../../src/core/chat/chat-message.ts';
import type { SwitchName } from '../../../src/core/ports/switch-store.ts';
import { type ActCommand, done } from '../command.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { quote, something } from '../typed.ts';

export const pauseCommand: ActCommand = {
  kind: 'act',
  name: 'pause',
  isIrreversible: false,
  usage: 'pause NAME',
  description: 'Stops the feed, a channel or a job for a while: feed, channel:telegram, job:…',
  parse: (argument) =>
    something(argument, 'NAME', (text) => async (deps, by) => {
      const name = switchNamed(deps, text);
      if (name === undefined) return unknown(deps, text);
      return {
        question: null,
        async act() {
          if (await deps.switches.pause({ name, at: deps.clock.now(), by })) {
            return done(`${name} is paused until it is resumed.`);
          }
          const pause = (await deps.switches.list()).find((one) => one.name === name);
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
  description: 'Lets what is paused go on',
  parse: (argument) =>
    something(argument, 'NAME', (text) => async (deps) => {
      // What was paused under an earlier build may have a name that is known no more.
      const paused = (await deps.switches.list()).map(({ name }) => name);
      const name = switchNamed(deps, text) ?? paused.find((one) => one === text);
      if (name === undefined) return unknown(deps, text);
      return {
        question: null,
        act: async () =>
          (await deps.switches.resume(name))
            ? done(`${name} goes on.`)
            : { refused: `${name} is not paused.` },
      };
    }),
};

function switchNames({ jobs }: Pick<ConsoleDeps, 'jobs'>): readonly SwitchName[] {
  return [
    'feed',
    ...CHANNELS.map((channel) => `channel:${channel}` as const),
    ...jobs.names.map((job) => `job:${job}` as const),
  ];
}

function switchNamed(deps: Pick<ConsoleDeps, 'jobs'>, text: string): SwitchName | undefined {
  return switchNames(deps).find((name) => name === text.toLowerCase() || name === text);
}

function unknown(deps: Pick<ConsoleDeps, 'jobs'>, text: string) {
  return { refused: `${quote(text)} cannot be paused. What can: ${switchNames(deps).join(', ')}.` };
}
