import { MARKETS_PATH } from '../core/alerts/site-paths.ts';
import { REFERENCE_PATH } from '../http/documents/reference.ts';
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
  [REFERENCE_PATH, 'API'],
] as const;
/** In the footer: for those who check the service. */
const MORE_SECTIONS = [
  ['/status', 'Status'],
  ['/log', 'Log'],
  ['/about', 'About'],
] as const;

/** Of a service that has the documents of its API alone. */
const DOCUMENTS = [
  [REFERENCE_PATH, 'API'],
  ['/docs/errors', 'Error codes'],
] as const;

export interface DocumentOptions {
  /** Above the contents of every page; null without one. */
  readonly notice: string | null;
  /** Without it only documents are there to link to, and no pictures. */
  readonly hasSite: boolean;
}

export function documentOf(page: Page, publicUrl: string, options: DocumentOptions): string {
  const { hasSite } = options;
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
      ${hasSite ? html`<link rel="apple-touch-icon" href="${TOUCH_ICON}" />` : null}
      <script src="${ASSETS['site.js'].address}" async blocking="render"></script>
      ${(['site.css', ...styles] as const).map((name) => html`<link rel="stylesheet" href="${ASSETS[name].address}" />`)}
      ${feedLinks(page)}
      ${previewOf(page, fullTitle, { publicUrl, hasSite })}
    </head>
    <body>
      <a class="skip" href="#main">Skip to content</a>
      ${header(path, options)}
      <main id="main">${body}</main>
      ${footer(path, options)}
    </body>
  </html>`;
  return document.toString();
}

function previewOf(
  page: Page,
  title: string,
  { publicUrl, hasSite }: Pick<DocumentOptions, 'hasSite'> & { readonly publicUrl: string },
): readonly Html[] {
  const { description, path, image = SERVICE_IMAGE } = page;
  const tags = [
    ['og:site_name', NAME],
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', publicUrl + path],
  ] as const;
  const picture = [
    ['og:image', publicUrl + image.path],
    ['og:image:alt', image.alt],
  ] as const;
  return [
    ...(hasSite ? [...tags, ...picture] : tags).map(
      ([property, content]) => html`<meta property="${property}" content="${content}" />`,
    ),
    html`<meta name="twitter:card" content="${hasSite ? 'summary_large_image' : 'summary'}" />`,
  ];
}

function header(path: string, { notice, hasSite }: DocumentOptions): Html {
  const links = (hasSite ? SECTIONS : DOCUMENTS).map(([href, label]) => {
    const current = attribute('aria-current', href === path.split('?', 1)[0] ? 'page' : null);
    return html`<li><a href="${href}"${current}>${label}</a></li>`;
  });
  return html`<header class="site">
    <a class="brand" href="${hasSite ? '/' : REFERENCE_PATH}"><img src="${ASSETS['icon.svg'].address}" alt="" width="24" height="24" />${NAME}</a>
    <nav aria-label="Site">
      <ul>
        ${links}
      </ul>
    </nav>
    ${hasSite ? SEARCH : null}
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

function footer(path: string, { hasSite }: DocumentOptions): Html {
  const links = MORE_SECTIONS.map(([href, label]) => html`<a href="${href}">${label}</a> · `);
  return html`<footer class="site">
    <p>
      ${hasSite ? 'Alerts are shown here a few minutes after publication. They' : 'Alerts'} are statistics about public trades, not
      proof, a forecast or investment advice.
    </p>
    <p>${hasSite ? links : null}<a href="/feed.xml${feedQuery(path)}">Atom feed</a></p>
  </footer>`;
}
