import { Html, html } from './html.ts';

/** Data behind a page, for search engines of data sets (schema.org/Dataset). */
export interface PageDataset {
  readonly name: string;
  readonly description: string;
  /** Its page, from the root. */
  readonly path: string;
  /** ISO 8601; absent where it changes all the time. */
  readonly modifiedAt?: string;
  /** Path and type of each file. */
  readonly files: readonly (readonly [path: string, type: string])[];
}

/** A page as `layout.ts` has it. */
interface DescribedPage {
  readonly title: string;
  readonly path: string;
  readonly datasets?: readonly PageDataset[];
}

type Section = readonly [path: string, label: string];

/**
 * A page's place and data as JSON-LD. Such a script is a data block: a browser does not run it, so that no policy has to allow it
 * (html.spec.whatwg.org, 4.12.1).
 */
export function linkedData(
  page: DescribedPage,
  publicUrl: string,
  sections: readonly Section[],
): Html | null {
  const crumbs = crumbsOf(page, sections);
  const graph = [
    ...(crumbs.length < 2 ? [] : [breadcrumbs(crumbs, publicUrl)]),
    ...(page.datasets ?? []).map((dataset) => datasetOf(dataset, publicUrl)),
  ];
  if (graph.length === 0) return null;
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
  return html`<script type="application/ld+json">${new Html(scriptText(text))}</script>`;
}

/** A title of the market must not end the script. */
function scriptText(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`);
}

/** From the first page over its section; none for a list that is narrowed. */
function crumbsOf({ path, title }: DescribedPage, sections: readonly Section[]): readonly Section[] {
  if (path.startsWith('/?')) return [];
  const above = sections.filter(([section]) => section === '/' || path.startsWith(`${section}/`));
  const own: Section = sections.find(([section]) => section === path) ?? [path, title];
  return [...above.filter(([section]) => section !== path), own];
}

function breadcrumbs(crumbs: readonly Section[], publicUrl: string) {
  const itemListElement = crumbs.map(([path, label], index) => {
    return { '@type': 'ListItem', position: index + 1, name: label, item: publicUrl + path };
  });
  return { '@type': 'BreadcrumbList', itemListElement };
}

function datasetOf({ name, description, path, modifiedAt, files }: PageDataset, publicUrl: string) {
  return {
    '@type': 'Dataset',
    name,
    description,
    url: publicUrl + path,
    isAccessibleForFree: true,
    creator: { '@type': 'Organization', name: 'Tipoff', url: publicUrl },
    ...(modifiedAt !== undefined && { dateModified: modifiedAt }),
    distribution: files.map(([file, type]) => {
      return { '@type': 'DataDownload', contentUrl: publicUrl + file, encodingFormat: type };
    }),
  };
}
