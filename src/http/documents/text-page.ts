import type { FastifyInstance } from 'fastify';
import { acceptWeight } from '../hooks/accept.ts';
import { ReadyAnswer } from '../views/ready-answer.ts';
import type { DocumentContext, HtmlDocument, TextPage } from './document-pages.ts';

const TYPES = ['text/html', 'application/json', 'text/plain'] as const;
type PageType = (typeof TYPES)[number];
type Answers = Readonly<Record<PageType, ReadyAnswer>>;

/** As a page, or as text or JSON for clients that prefer them. `makePage` is called for the first request. */
export function registerTextPage(
  app: FastifyInstance,
  path: string,
  makePage: () => TextPage,
  { documents, publicUrl }: DocumentContext,
): void {
  let answers: Answers | null = null;
  app.get(path, (request, reply) => {
    answers ??= makeAnswers(makePage(), (page) => documents.textPage(page, publicUrl));
    return answers[preferredType(request.headers.accept)].send(request, reply);
  });
}

function makeAnswers(page: TextPage, draw: (page: TextPage) => HtmlDocument): Answers {
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
    'application/json': answer('application/json', JSON.stringify(page.json)),
    'text/plain': answer('text/plain', plainText(page)),
  };
}

/** The page, unless another type is given a higher weight. */
function preferredType(accept: string | undefined): PageType {
  const weightOf = (type: PageType) => acceptWeight(accept, type);
  return TYPES.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? 'text/html';
}

function plainText({ title, about, sections }: TextPage): string {
  const parts = sections.map(
    ({ title: heading, note, paragraphs }) =>
      `## ${heading.replaceAll('`', '')} (${note})\n\n${paragraphs.join('\n')}`,
  );
  return `${[`# ${title}`, about, ...parts].join('\n\n').replaceAll('**', '')}\n`;
}
