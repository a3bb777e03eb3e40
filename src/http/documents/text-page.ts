import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../../core/base/text/escape.ts';
import { weighed } from '../hooks/compression.ts';
import { ReadyAnswer } from '../views/ready-answer.ts';

/** A document for people. Its texts mark code by backticks and strong words by two stars. */
export interface TextPage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly about: string;
  readonly sections: readonly TextSection[];
  /** For programs. Absent: there is no such form. */
  readonly json?: unknown;
}

export interface TextSection {
  readonly id: string;
  readonly title: string;
  /** Beside the title. */
  readonly note?: string;
  readonly paragraphs: readonly string[];
}

export interface HtmlDocument {
  readonly html: string;
  readonly policy: string;
}

/** Draws a page in another look than the plain one. */
export type DrawPage = (page: TextPage) => HtmlDocument;

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}h2{font-size:1.1rem;margin:1.8rem 0 .2rem}h2 small{font-weight:400}p{margin:.2rem 0}:target{background:#fff3c4}@media(prefers-color-scheme:dark){body{background:#16181d;color:#e6e6e6}a{color:#8ab4f8}:target{background:#4a3f12}}';

const TYPES = ['text/html', 'application/json', 'text/plain'] as const;
type PageType = (typeof TYPES)[number];
type Answers = Readonly<Partial<Record<PageType, ReadyAnswer>> & Record<'text/html', ReadyAnswer>>;

/** As a page, or as text or JSON for clients that prefer them. `makePage` is called for the first request. */
export function registerTextPage(
  app: FastifyInstance,
  path: string,
  makePage: () => TextPage,
  draw: DrawPage = plainDocument,
): void {
  let answers: Answers | null = null;
  app.get(path, (request, reply) => {
    answers ??= makeAnswers(makePage(), draw);
    const type = preferredType(request.headers.accept, answers);
    return (answers[type] ?? answers['text/html']).send(request, reply);
  });
}

function makeAnswers(page: TextPage, draw: DrawPage): Answers {
  const answer = (type: PageType, text: string, headers = {}) =>
    new ReadyAnswer(text, {
      contentType: `${type}; charset=utf-8`,
      cacheControl: 'public, max-age=300',
      vary: 'accept',
      headers,
    });
  const { html, policy } = draw(page);
  return {
    'text/html': answer('text/html', html, { 'content-security-policy': policy }),
    ...(page.json !== undefined && {
      'application/json': answer('application/json', JSON.stringify(page.json)),
    }),
    'text/plain': answer('text/plain', plainText(page)),
  };
}

/** The page, unless another type that it has is given a higher weight. */
function preferredType(accept = '*/*', answers: Answers): PageType {
  const weights = new Map(accept.split(',').map(weighed));
  const weightOf = (type: PageType) =>
    weights.get(type) ?? weights.get(type.replace(/\/.*/, '/*')) ?? weights.get('*/*') ?? 0;
  const available = TYPES.filter((type) => answers[type] !== undefined);
  return available.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? 'text/html';
}

function plainDocument({ title, about, sections }: TextPage): HtmlDocument {
  const parts = sections.map(({ id, title: heading, note, paragraphs }) => {
    const beside = note === undefined ? '' : ` <small>${escapeHtml(note)}</small>`;
    const texts = paragraphs.map((text) => `<p>${marked(text)}</p>`).join('\n');
    return `<h2 id="${id}"><a href="#${id}">${marked(heading)}</a>${beside}</h2>\n${texts}`;
  });
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${marked(about)}</p>
${parts.join('\n')}
</body>
</html>
`;
  const style = `'sha256-${hash('sha256', STYLE, 'base64')}'`;
  const policy = `default-src 'none'; style-src ${style}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { html, policy };
}

function plainText({ title, about, sections }: TextPage): string {
  const parts = sections.map(({ title: heading, note, paragraphs }) => {
    const beside = note === undefined ? '' : ` (${note})`;
    return `## ${heading.replaceAll('`', '')}${beside}\n\n${paragraphs.join('\n')}`;
  });
  return `${[`# ${title}`, about, ...parts].join('\n\n').replaceAll('**', '')}\n`;
}

function marked(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>');
}
