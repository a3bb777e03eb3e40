import { utcMinute } from '../../../src/core/base/text/formats.ts';
import { PAUSABLE_NAMES, type PausableName } from '../../../src/core/operations/pause-flags.ts';
import { type ConsoleCommand, done, quote } from '../command.ts';

export const pauseCommand: ConsoleCommand = {
  usage: 'pause NAME',
  description:
    'Stops the feed, the channels’ posts, personal alerts or webhooks: feed, posts, personal, webhooks',
  async run(text, { database: { pauses }, clock }, by) {
    const name = pausableNamed(text);
    if (name === undefined) return notPausable(text);
    return {
      async act() {
        if (await pauses.pause({ name, at: clock.now(), by }))
          return done(`${name} is paused until it is resumed.`);
        const pause = (await pauses.list()).find((one) => one.name === name);
        const since = pause === undefined ? '' : `, since ${utcMinute(pause.at)} by ${pause.by}`;
        return { refused: `${name} is paused already${since}.` };
      },
    };
  },
};

export const resumeCommand: ConsoleCommand = {
  usage: 'resume NAME',
  description: 'Resumes what is paused',
  async run(text, { database: { pauses } }) {
    const name = pausableNamed(text);
    if (name === undefined) return notPausable(text);
    return {
      act: async () =>
        (await pauses.resume(name)) ? done(`${name} is resumed.`) : { refused: `${name} is not paused.` },
    };
  },
};

function pausableNamed(text: string): PausableName | undefined {
  return PAUSABLE_NAMES.find((name) => name === text.toLowerCase());
}

function notPausable(text: string) {
  return { refused: `${quote(text)} cannot be paused. These can: ${PAUSABLE_NAMES.join(', ')}.` };
}
