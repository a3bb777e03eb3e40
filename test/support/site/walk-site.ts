export interface SiteWalk {
  readonly pages: readonly string[];
  readonly dead: readonly string[];
}

const LINK = /(?:href|src)="(\/[^"]*)"/g;
const API = '/api/';
/** As a browser asks: programs get data at some addresses. */
const BROWSER = { accept: 'text/html,*/*;q=0.8' };
/** Of a kind of page, with a query and without, so many are read for their links. */
const READ_PER_KIND = 2;

/** Follows the links of pages from these paths on. Each link is asked for; only HTML is read. */
export async function walkSite(origin: string, from: readonly string[]): Promise<SiteWalk> {
  const [waiting, seen, read] = [[...from], new Set(from), new Map<string, string[]>()];
  const dead: string[] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path);
    const known = read.get(kind) ?? [];
    const isEnough = known.length >= READ_PER_KIND;
    const response = await fetch(origin + path, { method: isEnough ? 'HEAD' : 'GET', headers: BROWSER });
    if (response.status >= 400) dead.push(`${response.status} ${path}`);
    const isPage = response.ok && (response.headers.get('content-type') ?? '').startsWith('text/html');
    if (isEnough || !isPage) {
      await response.body?.cancel();
      continue;
    }
    read.set(kind, [...known, path]);
    for (const link of linksOf(await response.text())) {
      if (seen.has(link) || link.startsWith(API)) continue;
      seen.add(link);
      waiting.push(link);
    }
  }
  return { pages: [...read.values()].map(([first = '']) => first), dead };
}

export function linksOf(page: string): readonly string[] {
  return [...page.matchAll(LINK)].map(([, link = '']) => unescaped(link).replace(/#.*/, ''));
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

export function unescaped(value: string): string {
  return value.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (name) => CHARACTERS[name] ?? name);
}

/** Paths of one kind have the same page with other contents. */
function kindOf(path: string): string {
  const { pathname, search } = new URL(path, 'http://site');
  const kind = pathname.replace(/^\/(alerts|markets|wallets|log|docs(?!\/errors))\/[^/]+/, '/$1/*');
  return `${kind}${search.slice(0, 1)}`;
}
