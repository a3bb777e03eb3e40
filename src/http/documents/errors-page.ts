import { withFreeDelay } from '../../core/alerts/free-delay.ts';
import { ERROR_CODES } from '../schemas/error-codes.ts';
import { ERRORS } from '../schemas/error-table.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { TextPage } from './document-pages.ts';

/** The explanation of every error code. */
export function errorsPage({ freeDelayMs }: Pick<ServerDeps, 'freeDelayMs'>): TextPage {
  const page = {
    path: '/docs/errors',
    title: 'Error codes',
    description: 'Every error code of the API: what it means, and what to do.',
    about:
      'The body of every error is `{"detail": …, "code": …}`. `detail` is a sentence, or for invalid values a list that names each; its words may change. `code` is one of the following and keeps its meaning. Later versions may add codes: treat an unknown one by its status.',
    sections: ERROR_CODES.map((code) => {
      const { status, meaning, remedy } = ERRORS[code];
      const paragraphs = [meaning, `**What to do:** ${remedy}`];
      return { id: code, title: `\`${code}\``, note: String(status), paragraphs };
    }),
    json: { errors: ERROR_CODES.map((code) => ({ code, ...ERRORS[code] })) },
  };
  return withFreeDelay(page, freeDelayMs);
}
