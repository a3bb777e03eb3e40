import type { FastifyInstance } from 'fastify';
import { ReadyAnswer } from '../views/ready-answer.ts';
import { API_TAGS } from './api-info.ts';
import type { DocumentContext, HtmlDocument } from './document-pages.ts';
import type { ApiDocument } from './openapi-types.ts';

export const REFERENCE_PATH = '/docs';

/** The page of a tag. The page at `/docs` has what holds for all. */
export function chapterPath(tag: string): string {
  return `${REFERENCE_PATH}/${tag.toLowerCase()}`;
}

export const REFERENCE_PATHS = [REFERENCE_PATH, ...API_TAGS.map(({ name }) => chapterPath(name))];

/** The pages of the API document. Each is made for its first request. */
export function registerReference(
  app: FastifyInstance,
  describe: () => ApiDocument,
  { documents, publicUrl }: DocumentContext,
): void {
  for (const path of REFERENCE_PATHS) {
    let answer: ReadyAnswer | null = null;
    app.get(path, (request, reply) => {
      answer ??= pageAnswer(documents.referencePage(describe(), path, publicUrl));
      return answer.send(request, reply);
    });
  }
}

function pageAnswer({ html, policy }: HtmlDocument): ReadyAnswer {
  return new ReadyAnswer(html, {
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=300',
    headers: { 'content-security-policy': policy },
  });
}
