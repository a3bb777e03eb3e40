import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findChromium } from '../test/support/browser/find-chromium.ts';
import type { Tab } from '../test/support/browser/tab.ts';
import { TestBrowser } from '../test/support/browser/test-browser.ts';
import { writeBlock } from './page-block.ts';

const ROOT = join(import.meta.dirname, '..');
const LOOK_EVERY_MS = 250;
const START_LIMIT_MS = 180_000;

class RunningDemo implements AsyncDisposable {
  readonly #process: ChildProcess;
  #output = '';

  private constructor() {
    this.#process = spawn(process.execPath, ['src/cli/tipoff.ts', 'demo', '--port', '0'], {
      cwd: ROOT,
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#process.stdout?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
  }

  static async start(printed: RegExp): Promise<RunningDemo> {
    const demo = new RunningDemo();
    const until = Date.now() + START_LIMIT_MS;
    while (!(printed.test(demo.output) && (await demo.#hasRecord()))) {
      if (Date.now() > until || demo.#process.exitCode !== null)
        throw new Error(`the demo is not ready in time:\n${demo.output}`);
      await sleep(LOOK_EVERY_MS);
    }
    return demo;
  }

  get output(): string {
    return this.#output;
  }

  get entries(): readonly string[] {
    return this.#output.split(/\n(?=\d\d-\d\d \d\d:\d\d:\d\d )/).slice(1);
  }

  get origin(): string {
    return this.#find(/^Page +(\S+)\/$/m);
  }

  get proKey(): string {
    return this.#find(/^pro key +(\S+)$/m);
  }

  async ask<Answer>(path: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.proKey}` };
    const answer = await fetch(`${this.origin}/api/v1${path}`, { headers });
    return (await answer.json()) as Answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGINT');
    await once(this.#process, 'close');
  }

  async #hasRecord(): Promise<boolean> {
    const answer = await fetch(`${this.origin}/record.json`);
    return /"bets": ?[1-9]/.test(await answer.text());
  }

  #find(pattern: RegExp): string {
    return pattern.exec(this.#output)?.[1] ?? '';
  }
}

const IMAGES = join(import.meta.dirname, '../docs/images');
const WINDOW = { width: 1_000, deviceScaleFactor: 1.5 };
const QUALITY = 80;
const ENTRIES_SHOWN = 3;
/** The result of the market with the most alerts, a minute after the start. */
const RESULT = / RESULT .*Senate control/;

type Scheme = 'light' | 'dark';

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly height: number;
  readonly schemes: readonly Scheme[];
}

async function main(): Promise<void> {
  const found = await findChromium();
  if ('problem' in found) throw new Error(found.problem);
  await using demo = await RunningDemo.start(RESULT);
  await using browser = await TestBrowser.start({ ...found, env: await withMonospace(found.env) });
  const tab = await browser.open(demo.origin);
  for (const shot of await shotsOf(demo, tab)) await take(tab, shot);
  if (tab.problems.length > 0) throw new Error(tab.problems.join('\n'));
  await show('demo', `$ npx tipoff demo\n${beginningOf(demo)}`);
  await show('call', await firstCall(demo));
}

async function withMonospace(
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const { FONTCONFIG_FILE: fonts } = env;
  if (fonts === undefined) return env;
  const file = join(await mkdtemp(join(tmpdir(), 'tipoff-screenshots-')), 'fonts.conf');
  const code =
    '<alias binding="same"><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>';
  await writeFile(file, `<fontconfig><include>${fonts}</include>${code}</fontconfig>\n`);
  return { ...env, FONTCONFIG_FILE: file };
}

async function shotsOf(demo: RunningDemo, tab: Tab): Promise<readonly Shot[]> {
  const query = '/alerts?resolved=true&min_signal=80&alert_type=fresh_accumulator&page_size=50';
  const { alerts } = await demo.ask<{ alerts: { id: number; signal_score: number }[] }>(query);
  const [strongest] = alerts.toSorted((a, b) => b.signal_score - a.signal_score);
  const alert = `/alerts/${strongest?.id}`;
  await tab.visit(alert);
  const market = await tab.ask<string>(
    `document.querySelector('main a[href^="/markets/"]').getAttribute('href')`,
  );
  return [
    { name: 'home', path: '/', height: 900, schemes: ['light', 'dark'] },
    { name: 'alert', path: alert, height: 1_150, schemes: ['light', 'dark'] },
    { name: 'market', path: market, height: 900, schemes: ['light'] },
    { name: 'record', path: '/record', height: 900, schemes: ['light'] },
    { name: 'developers', path: '/developers', height: 900, schemes: ['light'] },
  ];
}

async function take(tab: Tab, { name, path, height, schemes }: Shot): Promise<void> {
  for (const scheme of schemes) {
    await tab.show({ width: WINDOW.width, scheme });
    await tab.page.setViewport({ ...WINDOW, height });
    await tab.visit(path);
    const image = await tab.page.screenshot({ type: 'webp', quality: QUALITY });
    await writeFile(join(IMAGES, `${name}-${scheme}.webp`), image);
  }
}

function beginningOf({ output, entries }: RunningDemo): string {
  const head = output.slice(0, output.indexOf(entries[0] ?? ''));
  return `${head}${entries.slice(0, ENTRIES_SHOWN).join('\n')}`;
}

async function firstCall(demo: RunningDemo): Promise<string> {
  const path = '/alerts/latest?limit=1';
  const header = `Authorization: Bearer ${demo.proKey}`;
  const { stdout } = await promisify(execFile)('curl', ['-s', '-H', header, `${demo.origin}/api/v1${path}`]);
  const call = `curl -s -H "Authorization: Bearer $KEY" "$URL/api/v1${path}" | jq`;
  return `$ ${call}\n${JSON.stringify(JSON.parse(stdout), null, 2)}`;
}

/** Keys are shortened, so that no scan for secrets stops at them. */
async function show(name: string, output: string): Promise<void> {
  const text = output.trimEnd().replaceAll(/(sk_live_[\w-]{6})[\w-]{30,}/g, '$1…');
  await writeBlock('docs/walk.md', name, `\`\`\`text\n${text}\n\`\`\`\n`);
}

await main();
