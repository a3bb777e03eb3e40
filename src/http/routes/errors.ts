import type { FastifyInstance } from 'fastify';
import { type ErrorsDocument, errorsHtml, errorsJson, errorsText } from '../documents/errors-page.ts';
import { weighed } from '../hooks/compression.ts';
import { ReadyAnswer } from '../views/ready-answer.ts';

const TYPES = ['text/html', 'application/json', 'text/plain'] as const;
type PageType = (typeof TYPES)[number];

/** The explanation of every error code; as JSON or text for clients that prefer one of them. `makePage`: in another look. */
export function registerErrors(app: FastifyInstance, makePage: () => ErrorsDocument = errorsHtml): void {
  let answers: Readonly<Record<PageType, ReadyAnswer>> | null = null;
  app.get('/docs/errors', (request, reply) => {
    answers ??= makeAnswers(makePage());
    return answers[preferredType(request.headers.accept)].send(request, reply);
  });
}

function makeAnswers({ html, policy }: ErrorsDocument): Readonly<Record<PageType, ReadyAnswer>> {
  const answer = (type: PageType, text: string, headers = {}) =>
    new ReadyAnswer(text, {
      contentType: `${type}; charset=utf-8`,
      cacheControl: 'public, max-age=300',
      vary: 'accept',
      headers,
    });
  return {
    'text/html': answer('text/html', html, { 'content-security-policy': policy }),
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
