import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../test/support/browser/find-chromium.ts';
import type { Tab } from '../test/support/browser/tab.ts';
import { TestBrowser } from '../test/support/browser/test-browser.ts';
import { startService } from '../test/support/service-process.ts';
import { waitUntil } from '../test/support/wait-until.ts';
import { writeBlock } from './page-block.ts';
import { accepted } from './support/tools.ts';

const START_LIMIT_MS = 180_000;

type RunningDemo = Awaited<ReturnType<typeof startDemo>>;

async function startDemo(printed: RegExp) {
  const demo = startService({ NO_COLOR: '1' }, { entry: 'src/cli/tipoff.ts', args: ['demo', '--port', '0'] });
  const find = (pattern: RegExp) => pattern.exec(demo.output())?.[1] ?? '';
  const origin = () => find(/^Page +(\S+)\/$/m);
  const isReady = async () =>
    printed.test(demo.output()) &&
    /"bets": ?[1-9]/.test(await (await fetch(`${origin()}/record.json`)).text());
  await waitUntil(async () => ((await isReady()) ? true : null), {
    timeoutMs: START_LIMIT_MS,
    what: 'the demo with a record',
  });
  const proKey = find(/^pro key +(\S+)$/m);
  return {
    output: demo.output,
    entries: () =>
      demo
        .output()
        .split(/\n(?=\d\d:\d\d:\d\d )/)
        .slice(1),
    origin: origin(),
    proKey,
    async ask<Answer>(path: string): Promise<Answer> {
      const headers = { authorization: `Bearer ${proKey}` };
      return (await (await fetch(`${origin()}/api/v1${path}`, { headers })).json()) as Answer;
    },
    [Symbol.asyncDispose]: async () => void (await demo.end('SIGINT')),
  };
}

const IMAGES = join(import.meta.dirname, '../docs/images');
const WINDOW = { width: 1_000, deviceScaleFactor: 1.5 };
const QUALITY = 80;
const ENTRIES_SHOWN = 3;
/** The result of the market with the most alerts, two minutes after the start. */
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
  await using demo = await startDemo(RESULT);
  await using browser = await TestBrowser.start({ ...found, env: await withMonospace(found.env) });
  const tab = await browser.open(demo.origin);
  for (const shot of await shotsOf(demo, tab)) await take(tab, shot);
  if (tab.problems.length > 0) throw new Error(tab.problems.join('\n'));
  await show('demo', `$ node bin/tipoff.js demo\n${beginningOf(demo)}`);
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
    { name: 'home', path: '/', height: 700, schemes: ['light', 'dark'] },
    { name: 'alert', path: alert, height: 1_150, schemes: ['light', 'dark'] },
    { name: 'market', path: market, height: 900, schemes: ['light'] },
    { name: 'record', path: '/record', height: 900, schemes: ['light'] },
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
  const [text, shown] = [output(), entries().slice(0, ENTRIES_SHOWN)];
  return `${text.slice(0, text.indexOf(shown[0] ?? ''))}${shown.join('\n')}`;
}

async function firstCall(demo: RunningDemo): Promise<string> {
  const path = '/alerts/latest?limit=1';
  const header = `Authorization: Bearer ${demo.proKey}`;
  const { stdout } = await accepted('curl', ['-s', '-H', header, `${demo.origin}/api/v1${path}`]);
  const call = `curl -s -H "Authorization: Bearer $TIPOFF_API_KEY" "$TIPOFF_URL/api/v1${path}" | jq`;
  return `$ ${call}\n${JSON.stringify(JSON.parse(stdout), null, 2)}`;
}

/** Keys are shortened, so that no scan for secrets stops at them. */
async function show(name: string, output: string): Promise<void> {
  const text = output.trimEnd().replaceAll(/(sk_live_[\w-]{6})[\w-]{30,}/g, '$1…');
  await writeBlock('docs/walk.md', name, `\`\`\`text\n${text}\n\`\`\`\n`);
}

await main();
