import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, join, matchesGlob, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

/** What the last stage of a Dockerfile comes to, in a folder that stands for `/`. */
export type Image = Awaited<ReturnType<typeof buildImage>>;

interface Stage {
  readonly root: string;
  readonly env: Record<string, string>;
  workdir: string;
  user: string;
  command: readonly string[];
  healthCheck: readonly string[];
}

/** Programs of this machine, without those that npm put on the path of the tests. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
  .join(delimiter);

/**
 * Carries out the Dockerfile of the tree without a Docker engine: every instruction, in order, all of them for real but
 * `npm ci` (the tree's node_modules, copied; of packages that are needed neither to compile nor to run, the manifest), the
 * check of types (`npm run check` makes it, by the same options) and `chown`. Throws on an instruction it does not know.
 */
export async function buildImage(tree: string, folder: string) {
  const stages = new Map<string, Stage>();
  const build = new Build(tree, folder);
  for (const { keyword, text } of parseDockerfile(readFileSync(join(tree, 'Dockerfile'), 'utf8'))) {
    if (keyword !== 'FROM') await build.step(keyword, text, stages);
    else {
      const [base = '', , name = 'last'] = text.split(' ');
      stages.set(name, build.begin(base, name));
    }
  }
  const { root, workdir, env, ...rest } = stages.get('last') as Stage;
  const set: Readonly<Record<string, string>> = { PATH: build.pathIn(root), ...env };
  return { root, ...rest, workdir: join(root, workdir), env: set };
}

class Build {
  readonly #tree: string;
  readonly #folder: string;
  readonly #stubs: string;
  readonly #isSent: (path: string) => boolean;
  #stage: Stage | undefined;

  constructor(tree: string, folder: string) {
    this.#tree = tree;
    this.#folder = folder;
    this.#isSent = createContextFilter(readFileSync(join(tree, '.dockerignore'), 'utf8'));
    this.#stubs = join(folder, 'stubs');
    mkdirSync(this.#stubs, { recursive: true });
    const lists = join(folder, 'lists');
    mkdirSync(lists);
    const light = lightPackages(tree);
    writeFileSync(join(lists, 'without'), light.join('\n'));
    writeFileSync(join(lists, 'manifests'), light.map((path) => `${path}/package.json`).join('\n'));
    // Other tests write into the cache of vitest meanwhile.
    const without = `--anchored --exclude='node_modules/.v*' --exclude-from='${lists}/without'`;
    const copy =
      `tar -C '${tree}' ${without} -cf - node_modules | tar -xf -; ` +
      `tar -C '${tree}' -T '${lists}/manifests' -cf - | tar -xf -`;
    const unchecked = '[ "$1 $2" = "run build" ] && set -- "$@" -- --noCheck';
    const npm = `[ "$1" = ci ] && { ${copy}; exit; }\n${unchecked}\nPATH=$(echo "$PATH" | sed 's|${this.#stubs}:||') exec npm "$@"`;
    for (const [name, script] of Object.entries({ npm, chown: 'exit 0' }))
      writeFileSync(join(this.#stubs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** A stage on the official image of the Node version that runs the tests. */
  begin(base: string, name: string): Stage {
    const [major] = process.versions.node.split('.');
    if (!base.startsWith(`node:${major}.`)) throw new Error(`${base}: expected Node ${major}`);
    const root = join(this.#folder, name);
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
    // The user of the image may not have access to the Node of the tests.
    if (name === 'last') cpSync(process.execPath, join(root, 'usr/local/bin/node'), { dereference: true });
    else symlinkSync(process.execPath, join(root, 'usr/local/bin/node'));
    this.#stage = { root, env: {}, workdir: '/', user: 'root', command: [], healthCheck: [] };
    return this.#stage;
  }

  pathIn(root: string): string {
    return [join(root, 'usr/local/bin'), PATH].join(delimiter);
  }

  async step(keyword: string, text: string, stages: ReadonlyMap<string, Stage>): Promise<void> {
    const stage = this.#stage as Stage;
    if (keyword === 'WORKDIR') {
      stage.workdir = text;
      mkdirSync(join(stage.root, text), { recursive: true });
    } else if (keyword === 'ENV') {
      for (const [, name = '', quoted, plain = ''] of text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g))
        stage.env[name] = insideOf(stage.root, quoted ?? plain);
    } else if (keyword === 'COPY') this.#copy(stage, text, stages);
    else if (keyword === 'RUN') await this.#run(stage, text);
    else if (keyword === 'USER') stage.user = text;
    else if (keyword === 'CMD') stage.command = JSON.parse(text) as string[];
    else if (keyword === 'HEALTHCHECK')
      stage.healthCheck = JSON.parse(text.replace(/^.*?CMD /, '')) as string[];
    else if (keyword !== 'EXPOSE' && keyword !== 'VOLUME') throw new Error(`${keyword}: unknown instruction`);
  }

  #copy(stage: Stage, text: string, stages: ReadonlyMap<string, Stage>): void {
    const [, from, paths = ''] = /^(?:--from=(\w+) )?(.+)$/.exec(text) ?? [];
    const sources = paths.split(' ');
    const target = sources.pop() as string;
    for (const source of sources) {
      const origin =
        from === undefined ? join(this.#tree, source) : join(stages.get(from)?.root ?? '', source);
      const isSent = (file: string) => from !== undefined || this.#isSent(relative(this.#tree, file));
      if (!existsSync(origin) || !isSent(origin))
        throw new Error(`COPY ${source}: the build has no such path`);
      const folder = join(resolve(join(stage.root, stage.workdir), target));
      const isInto = target.endsWith('/') && !statSync(origin).isDirectory();
      const to = isInto ? join(folder, basename(source)) : folder;
      // An earlier stage is not used again: its files are moved, which takes no time.
      if (from === undefined) cpSync(origin, to, { recursive: true, verbatimSymlinks: true, filter: isSent });
      else renameSync(origin, to);
    }
  }

  async #run(stage: Stage, text: string): Promise<void> {
    const env = { HOME: this.#folder, ...stage.env, PATH: `${this.#stubs}:${this.pathIn(stage.root)}` };
    const cwd = join(stage.root, stage.workdir);
    await promisify(execFile)('sh', ['-ec', insideOf(stage.root, text)], {
      cwd,
      env: { ...env, npm_config_offline: 'true' },
    });
  }
}

/** What is needed of the packages of development to compile. */
const COMPILES = /\/(?:typescript|@typescript\/[^/]+|@types\/[^/]+|[^/]+-types)$/;

const LOADED = /\/@resvg\//;

/** Folders of packages whose files nothing reads before `npm prune` removes them: half of the bytes. */
function lightPackages(tree: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(tree, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(
      ([path, { dev, optional }]) =>
        (dev === true || optional === true) && !COMPILES.test(path) && !LOADED.test(path),
    )
    .map(([path]) => path)
    .filter((path) => existsSync(join(tree, path, 'package.json')));
}

/** Absolute paths of the image, as paths below the folder that stands for its `/`. */
function insideOf(root: string, text: string): string {
  return text.replaceAll(/(?<![\w./])\/(?=(?:app|usr\/local)\b)/g, `${root}/`);
}

interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

function parseDockerfile(text: string): readonly Instruction[] {
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
function createContextFilter(dockerignore: string): (path: string) => boolean {
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
