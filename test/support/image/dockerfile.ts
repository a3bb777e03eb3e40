import { matchesGlob } from 'node:path';

export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

export function parseDockerfile(text: string): readonly Instruction[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, keyword = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { keyword, text: rest };
    });
}

/** Whether a path of the tree, relative and with `/`, is sent to the build: the last pattern that fits it decides. */
export function createContextFilter(dockerignore: string): (path: string) => boolean {
  const patterns = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return (path) => {
    const parts = path.split('/');
    const itAndAbove = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const last = patterns.findLast((pattern) =>
      itAndAbove.some((one) => matchesGlob(one, pattern.replace(/^!/, ''))),
    );
    return last === undefined || last.startsWith('!');
  };
}
