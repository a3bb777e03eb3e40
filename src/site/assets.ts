import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each is made of these files in `assets`. */
const SOURCES = {
  'site.css': [
    'tokens.css',
    'site.css',
    'parts.css',
    'alerts.css',
    'home.css',
    'facts.css',
    'details.css',
    'print.css',
  ],
  'chart.css': ['chart.css'],
  'reference.css': ['reference.css'],
  'icon.svg': ['icon.svg'],
  'site.js': ['sheets.js', 'chart.js', 'ages.js', 'visits.js', 'live.js'],
} as const;

const TYPES = {
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  js: 'text/javascript; charset=utf-8',
} as const;

type AssetName = keyof typeof SOURCES;
export type StyleName = Extract<AssetName, `${string}.css`>;

export interface Asset {
  readonly path: string;
  /** The path, and a query that changes with the text: it can be cached without a limit. */
  readonly address: string;
  readonly text: string;
  readonly contentType: string;
}

export const ASSETS = Object.fromEntries(
  Object.entries(SOURCES).map(([name, sources]) => [name, assetOf(name, sources)]),
) as Readonly<Record<AssetName, Asset>>;

function assetOf(name: string, sources: readonly string[]): Asset {
  const read = sources
    .map((source) => readFileSync(join(import.meta.dirname, 'assets', source), 'utf8'))
    .join('');
  const type = name.split('.').at(-1) as keyof typeof TYPES;
  const text = { css: styleOf, js: scriptOf, svg: String }[type](read);
  const path = `/assets/${name}`;
  const address = `${path}?v=${hash('sha256', text, 'base64url').slice(0, 12)}`;
  return { path, address, text, contentType: TYPES[type] };
}

/** A style sheet without comments and the spaces that are for its readers, which are a fourth of it. */
function styleOf(text: string): string {
  return text
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}');
}

/** A script without indentation and comments, which are a fourth of it. A comment begins its line. */
function scriptOf(text: string): string {
  return text.replaceAll(/^\s*(?:\/\*.*?\*\/|\/\/.*?$)/gms, '').replaceAll(/\s*\n\s*/g, '\n');
}
