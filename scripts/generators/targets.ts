import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { accepted } from '../support/tools.ts';
import { cacheFolder, nodePackages, pythonPackages } from './tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const CALLERS = join(import.meta.dirname, 'callers');
const TSC = join(ROOT, 'node_modules/.bin/tsc');

/** The versions of everything that is not pinned by package-lock.json or by the generated project. */
const VERSIONS = {
  heyApi: '0.95.0',
  orval: '8.38.0',
  /** The compiler with the interface that both need; TypeScript 7 has none. */
  typescript: '5.9.3',
  openapiPythonClient: '0.29.1',
  openapiGenerator: '7.26.0',
  python: ['pydantic==2.12.4', 'python-dateutil==2.9.0.post0', 'typing-extensions==4.15.0', 'urllib3==2.5.0'],
  mavenDependencyPlugin: '3.8.1',
};

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Target {
  readonly name: string;
  readonly version: string;
  generate(folder: string, document: string): Promise<void>;
  /** Compiles the client with the program that calls the operations. Absent where it is only generated. */
  compile?(folder: string): Promise<Program>;
}

export const heyApi: Target = {
  name: 'hey-api',
  version: `@hey-api/openapi-ts ${VERSIONS.heyApi}`,
  async generate(folder, document) {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const options = {
      input: document,
      output: { path: join(folder, 'api'), importFileExtension: '.js' },
      logs: { level: 'silent', file: false },
    };
    const program = `const { createClient } = await import('@hey-api/openapi-ts'); await createClient(${JSON.stringify(options)});`;
    await accepted(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: await heyApiPackages(),
    });
  },
  async compile(folder) {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const flags = '--strict --module nodenext --target es2024 --types node --outDir built'.split(' ');
    await accepted(TSC, [...flags, 'api/sdk.gen.ts', 'api/client.gen.ts'], { cwd: folder });
    return { command: process.execPath, args: [join(CALLERS, 'hey-api.mjs')], cwd: folder };
  },
};

const orval: Target = {
  name: 'orval',
  version: VERSIONS.orval,
  async generate(folder, document) {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const options = {
      input: { target: document },
      output: { target: join(folder, 'api.ts'), client: 'fetch', mode: 'single' },
    };
    const program = `const { generate } = await import('orval'); await generate(${JSON.stringify(options)});`;
    const cwd = await nodePackages([`orval@${VERSIONS.orval}`, `typescript@${VERSIONS.typescript}`]);
    await accepted(process.execPath, ['--input-type=module', '--eval', program], { cwd });
  },
  async compile(folder) {
    const flags = '--strict --module nodenext --target es2024 --lib es2024,dom,dom.iterable --outDir built';
    await accepted(TSC, [...flags.split(' '), 'api.ts'], { cwd: folder });
    return { command: process.execPath, args: [join(CALLERS, 'orval.mjs')], cwd: folder };
  },
};

export const openapiPythonClient: Target = {
  name: 'openapi-python-client',
  version: VERSIONS.openapiPythonClient,
  async generate(folder, document) {
    const config = join(folder, 'config.json');
    await writeFile(config, JSON.stringify({ post_hooks: [] }));
    const output = ['--meta', 'none', '--output-path', join(folder, 'tipoff_client')];
    // The generator warns about operations that it omits.
    const input = ['--path', document, '--config', config, '--fail-on-warning'];
    await accepted('python3', ['-m', 'openapi_python_client', 'generate', ...input, ...output], {
      env: { PYTHONPATH: await clientPackages(), NO_COLOR: '1' },
    });
  },
  async compile(folder) {
    const env = { PYTHONPATH: [await clientPackages(), folder].join(delimiter) };
    return { command: 'python3', args: [join(CALLERS, 'openapi_python_client.py')], cwd: folder, env };
  },
};

/** The packages of openapi-python-client, installed once. Throws without Python or PyPI. */
export function clientPackages(): Promise<string> {
  return pythonPackages([`openapi-python-client==${VERSIONS.openapiPythonClient}`]);
}

/** The packages of @hey-api/openapi-ts, installed once. Throws without the registry of npm. */
export function heyApiPackages(): Promise<string> {
  return nodePackages([`@hey-api/openapi-ts@${VERSIONS.heyApi}`, `typescript@${VERSIONS.typescript}`]);
}

function openapiGenerator(name: string, { options = [], compile }: GeneratorOptions = {}): Target {
  return {
    name: `openapi-generator ${name}`,
    version: VERSIONS.openapiGenerator,
    async generate(folder, document) {
      const packages = await pythonPackages([`openapi-generator-cli==${VERSIONS.openapiGenerator}`]);
      const jar = join(packages, 'openapi_generator_cli/openapi-generator.jar');
      const withoutTests = '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
      const args = ['-Xmx700m', '-jar', jar, 'generate', '-i', document, '-g', name, '-o', folder];
      const { output } = await accepted('java', [...args, withoutTests, ...options]);
      // It continues, and loses operations.
      const collision = output.split('\n').find((line) => line.includes('COLLISION'));
      if (collision !== undefined) throw new Error(collision);
    },
    ...(compile !== undefined && { compile }),
  };
}

interface GeneratorOptions {
  readonly options?: readonly string[];
  readonly compile?: NonNullable<Target['compile']>;
}

const python = openapiGenerator('python', {
  async compile(folder) {
    const packages = await pythonPackages(VERSIONS.python);
    // `api/events_api.py`, of the requests to webhooks, is not valid Python, and no other module imports it.
    await accepted('python3', ['-c', 'import openapi_client'], {
      cwd: folder,
      env: { PYTHONPATH: packages },
    });
    const env = { PYTHONPATH: [packages, folder].join(delimiter) };
    return { command: 'python3', args: [join(CALLERS, 'openapi_generator_python.py')], cwd: folder, env };
  },
});

const typescriptFetch = openapiGenerator('typescript-fetch', {
  async compile(folder) {
    // Its imports have no extensions, which CommonJS allows.
    await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
    const flags = '--strict --module nodenext --target es2024 --lib es2024,dom --outDir built'.split(' ');
    await accepted(TSC, [...flags, 'index.ts'], { cwd: folder });
    return { command: process.execPath, args: [join(CALLERS, 'typescript-fetch.cjs')], cwd: folder };
  },
});

const go = openapiGenerator('go', {
  options: [
    // Without the prefix equal values of two enumerations are declared twice.
    '--additional-properties=packageName=client,enumClassPrefix=true',
    ...['--git-host', 'tipoff.example', '--git-user-id', 'api', '--git-repo-id', 'client'],
  ],
  async compile(folder) {
    await mkdir(join(folder, 'caller'));
    await copyFile(join(CALLERS, 'main.go'), join(folder, 'caller/main.go'));
    const env = { GOFLAGS: '-mod=mod' };
    await accepted('go', ['build', '-o', 'call-operations', './caller'], { cwd: folder, env });
    return { command: join(folder, 'call-operations'), args: [], cwd: folder };
  },
});

const java = openapiGenerator('java', {
  // Of its libraries the default one: `native` reads the Atom feed as JSON. Without the option an unknown field is an error.
  options: ['--additional-properties=disallowAdditionalPropertiesIfNotPresent=false'],
  async compile(folder) {
    await copyFile(join(CALLERS, 'Caller.java'), join(folder, 'src/main/java/Caller.java'));
    const plugin = `org.apache.maven.plugins:maven-dependency-plugin:${VERSIONS.mavenDependencyPlugin}`;
    const repository = `-Dmaven.repo.local=${cacheFolder('maven')}`;
    const args = ['--quiet', '--batch-mode', repository, '-Dmaven.test.skip=true', 'compile'];
    await accepted('mvn', [...args, `${plugin}:build-classpath`, '-Dmdep.outputFile=classpath.txt'], {
      cwd: folder,
    });
    const jars = await readFile(join(folder, 'classpath.txt'), 'utf8');
    const classPath = [join(folder, 'target/classes'), jars].join(delimiter);
    return { command: 'java', args: ['-cp', classPath, 'Caller'], cwd: folder };
  },
});

export const TARGETS: readonly Target[] = [
  heyApi,
  orval,
  openapiPythonClient,
  python,
  typescriptFetch,
  go,
  java,
  openapiGenerator('csharp'),
  openapiGenerator('rust'),
];
