import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

export const LINES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((page) => `docs/${page}`)]
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) => [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^ *```sh\n([\s\S]*?)```/gm)])
  .flatMap(([, block]) => (block as string).split('\n'))
  .filter((line) => line.includes('docker compose'));

export const EXEC = /docker compose exec (-T )?tipoff /;
/** Lines that run a command in a container of its own, with a file of the host: the file, its path inside, the command. */
export const RUN = /docker compose run --rm --no-deps --volume \.\/(\S+):(\/\S+):ro tipoff (.+)$/;
export const FOREIGN = /docker compose (?:(?:up|stop|start|cp|pull|build|logs|ps)\b|exec mongo )/;

/** The commands of the running container, as a shell inside of it runs them. A file outside of it is one of its data. */
export const DOCUMENTED = [
  ...new Set(
    LINES.filter((line) => EXEC.test(line)).map((line) => line.replace(EXEC, '').replace(' > ', ' > data/')),
  ),
];
