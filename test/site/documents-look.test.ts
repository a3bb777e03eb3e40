import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/http/schemas/error-codes.ts';
import { ask } from '../support/api-server.ts';
import { BROWSER, startSite } from '../support/site.ts';

test('/docs/errors explains every code in the look of the site, and stays JSON for programs', async () => {
  const { page, baseUrl } = await startSite();
  const { headers, text } = await page('/docs/errors');
  expect(headers.get('content-security-policy')).toContain("style-src 'self';");
  expect(text).toContain('<header class="site">');
  for (const code of ERROR_CODES) expect(text).toContain(`<section class="entry" id="${code}">`);
  expect(text).not.toContain('`');
  const answer = await ask(`${baseUrl}/docs/errors`, { headers: { accept: 'application/json' } });
  expect(answer.body.errors).toHaveLength(ERROR_CODES.length);
});

test('/docs leads back to the pages, and keeps the words of its tables whole', async () => {
  const { baseUrl } = await startSite();
  const { text } = await ask(`${baseUrl}/docs`, { headers: BROWSER });
  expect(text).toMatch(/<body>\s*<nav class="to-site" aria-label="Site"><a href="\/">/);
  expect(text).toMatch(/\.markdown :is\(th, td\) \{ word-break: normal/);
});
