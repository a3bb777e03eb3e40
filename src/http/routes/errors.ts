import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { errorsHtml, errorsJson, errorsText } from '../documents/errors-page.ts';
import { weighed } from '../hooks/compression.ts';
import { ReadyAnswer } from '../views/ready-answer.ts';

const TYPES = ['text/html', 'application/json', 'text/plain'] as const;
type PageType = (typeof TYPES)[number];

/** The explanation of every error code; as JSON or text for clients that prefer one of them. */
export function registerErrors(app: FastifyInstance): void {
  let answers: Readonly<Record<PageType, ReadyAnswer>> | null = null;
  app.get('/docs/errors', (request, reply) => {
    answers ??= makeAnswers();
    return answers[preferredType(request.headers.accept)].send(request, reply);
  });
}

function makeAnswers(): Readonly<Record<PageType, ReadyAnswer>> {
  const { html, style } = errorsHtml();
  const csp = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const answer = (type: PageType, text: string, headers = {}) =>
    new ReadyAnswer(text, {
      contentType: `${type}; charset=utf-8`,
      cacheControl: 'public, max-age=300',
      vary: 'accept',
      headers,
    });
  return {
    'text/html': answer('text/html', html, { 'content-security-policy': csp }),
    'application/json': answer('application/json', errorsJson()),
    'text/plain': answer('text/plain', errorsText()),
  };
}

/** The page, unless another type has a higher weight. */
function preferredType(accept = '*/*'): PageType {
  const weights = new Map(accept.split(',').map(weighed));
  const weightOf = (type: PageType) =>
    weights.get(type) ?? weights.get(type.replace(/\/.*/, '/*')) ?? weights.get('*/*') ?? 0;
  return TYPES.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? 'text/html';
}
