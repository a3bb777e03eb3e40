import { MARKETS_PATH } from '../core/alerts/site-paths.ts';
import { ASSETS, type StyleName } from './assets.ts';
import { feedLinks, feedQuery } from './feed-links.ts';
import { attribute, type Html, html } from './html.ts';
import { searchForm } from './parts/filters.ts';

/** A picture that previews of links show. */
interface PageImage {
  /** From the root; another one when it must be asked for again. */
  readonly path: string;
  readonly alt: string;
}

export interface Page {
  readonly title: string;
  /** For search engines and previews: one sentence or two. */
  readonly description: string;
  /** Its one address, from the root: `/alerts/12`. */
  readonly path: string;
  readonly isIndexed?: boolean;
  /** In previews of links. Default: `SERVICE_IMAGE`. */
  readonly image?: PageImage;
  /** A change of one of these topics makes the page again. Default: none, and it is made again after a minute. */
  readonly topics?: readonly string[];
  readonly styles?: readonly StyleName[];
  /** The contents of `main`. Parts that may change have `id` and `data-live`. */
  readonly body: Html;
}

const NAME = 'Tipoff';
/** Where phones look for the icon of a page, without being told. */
export const TOUCH_ICON = '/apple-touch-icon.png';
/** The general picture, for pages that have none of their own. */
export const SERVICE_IMAGE: PageImage = {
  path: '/card.png',
  alt: 'Tipoff: suspicious bets on Polymarket, followed to their result',
};

const SECTIONS = [
  ['/', 'Alerts'],
  [MARKETS_PATH, 'Markets'],
  ['/record', 'Record'],
  ['/docs', 'API'],
] as const;
/** In the footer: for those who check the service. */
const MORE_SECTIONS = [
  ['/status', 'Status'],
  ['/log', 'Log'],
  ['/about', 'About'],
] as const;

/** `notice`: above the contents of every page; null without one. */
export function documentOf(page: Page, publicUrl: string, notice: string | null): string {
  const { title, description, path, isIndexed = true, styles = [], body } = page;
  const fullTitle = path === '/' ? `${NAME}: ${title}` : `${title} · ${NAME}`;
  const document = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${fullTitle}</title>
      <meta name="description" content="${description}" />
      <meta name="color-scheme" content="light dark" />
      ${isIndexed ? null : html`<meta name="robots" content="noindex" />`}
      <link rel="canonical" href="${publicUrl + path}" />
      <link rel="icon" href="${ASSETS['icon.svg'].address}" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="${TOUCH_ICON}" />
      <script src="${ASSETS['site.js'].address}" async blocking="render"></script>
      ${(['site.css', ...styles] as const).map((name) => html`<link rel="stylesheet" href="${ASSETS[name].address}" />`)}
      ${feedLinks(page)}
      ${previewOf(page, fullTitle, publicUrl)}
    </head>
    <body>
      <a class="skip" href="#main">Skip to content</a>
      ${header(path, notice)}
      <main id="main">${body}</main>
      ${footer(path)}
    </body>
  </html>`;
  return document.toString();
}

function previewOf(page: Page, title: string, publicUrl: string): readonly Html[] {
  const { description, path, image = SERVICE_IMAGE } = page;
  const tags = [
    ['og:site_name', NAME],
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', publicUrl + path],
    ['og:image', publicUrl + image.path],
    ['og:image:alt', image.alt],
  ] as const;
  return [
    ...tags.map(([property, content]) => html`<meta property="${property}" content="${content}" />`),
    html`<meta name="twitter:card" content="summary_large_image" />`,
  ];
}

function header(path: string, notice: string | null): Html {
  const links = SECTIONS.map(([href, label]) => {
    const current = attribute('aria-current', href === path.split('?', 1)[0] ? 'page' : null);
    return html`<li><a href="${href}"${current}>${label}</a></li>`;
  });
  return html`<header class="site">
    <a class="brand" href="/"><img src="${ASSETS['icon.svg'].address}" alt="" width="24" height="24" />${NAME}</a>
    <nav aria-label="Site">
      <ul>
        ${links}
      </ul>
    </nav>
    ${SEARCH}
    ${notice && html`<p class="notice small">${notice}</p>`}
  </header>`;
}

/** Unfolds the search without a script. */
const SEARCH = html`<details class="sheet find" name="sheet">
  <summary>
    <svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="8.5" cy="8.5" r="5.5"></circle><path d="m13 13 5 5"></path></svg>
    <span class="hidden">Search</span>
  </summary>
  <div class="panel">${searchForm()}</div>
</details>`;

function footer(path: string): Html {
  const links = MORE_SECTIONS.map(([href, label]) => html`<a href="${href}">${label}</a> · `);
  return html`<footer class="site">
    <p>
      Alerts are shown here a few minutes after publication. They are statistics about public trades, not proof, a forecast or
      investment advice.
    </p>
    <p>${links}<a href="/feed.xml${feedQuery(path)}">Atom feed</a></p>
  </footer>`;
}
