import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../../core/base/text/escape.ts';
import { weighed } from '../hooks/compression.ts';
import { ERROR_CODES } from '../schemas/error-codes.ts';
import { ERRORS } from '../schemas/error-table.ts';
import { ReadyAnswer } from '../views/ready-answer.ts';

const TITLE = 'Errors of the Tipoff API';
export const ABOUT_ERRORS =
  'The body of every error is `{"detail": …, "code": …}`. `detail` is a sentence, or for invalid values a list that names each; its words may change. `code` is one of the following and keeps its meaning. Later versions may add codes: treat an unknown one by its status.';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}h2{font-size:1.1rem;margin:1.8rem 0 .2rem}h2 small{font-weight:400}p{margin:.2rem 0}:target{background:#fff3c4}@media(prefers-color-scheme:dark){body{background:#16181d;color:#e6e6e6}a{color:#8ab4f8}:target{background:#4a3f12}}';

export interface ErrorsDocument {
  readonly html: string;
  readonly policy: string;
}

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

function errorsHtml(): ErrorsDocument {
  const sections = ERROR_CODES.map((code) => {
    const { status, meaning, remedy } = ERRORS[code];
    return `<h2 id="${code}"><a href="#${code}"><code>${code}</code></a> <small>${status}</small></h2>\n<p>${marked(meaning)}</p>\n<p><b>What to do:</b> ${marked(remedy)}</p>`;
  });
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<h1>${TITLE}</h1>
<p>${marked(ABOUT_ERRORS)}</p>
${sections.join('\n')}
</body>
</html>
`;
  const style = `'sha256-${hash('sha256', STYLE, 'base64')}'`;
  const policy = `default-src 'none'; style-src ${style}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { html, policy };
}

function errorsText(): string {
  const sections = ERROR_CODES.map((code) => {
    const { status, meaning, remedy } = ERRORS[code];
    return `## ${code} (${status})\n\n${meaning}\nWhat to do: ${remedy}`;
  });
  return `${[`# ${TITLE}`, ABOUT_ERRORS, ...sections].join('\n\n')}\n`;
}

function errorsJson(): string {
  return JSON.stringify({ errors: ERROR_CODES.map((code) => ({ code, ...ERRORS[code] })) });
}

function marked(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
