import { ABOUT_ERRORS, type ErrorsDocument } from '../http/documents/errors-page.ts';
import { documentOf } from './layout.ts';
import { errorsPage } from './pages/errors.ts';
import { SITE_POLICY } from './site.ts';

/** `/docs/errors` in the look of the site. */
export function errorsInSite(publicUrl: string): ErrorsDocument {
  return { html: documentOf(errorsPage(ABOUT_ERRORS), publicUrl), policy: SITE_POLICY };
}
