import type { DocumentPages } from '../http/documents/document-pages.ts';
import { documentOf, type Page } from './layout.ts';
import { sitePageOf } from './pages/text-page.ts';
import { referencePage } from './reference/reference-page.ts';
import { registerAssets } from './routes/files.ts';
import { SITE_POLICY } from './short-pages.ts';
import type { SiteDeps } from './site.ts';

/** The documents of the API in the frame of the site. Null: there is no other page of it to link to. */
export function createDocuments(site: Pick<SiteDeps, 'notice'> | null): DocumentPages {
  const draw = (page: Page, publicUrl: string) => ({
    html: documentOf(page, publicUrl, { notice: site?.notice() ?? null, hasSite: site !== null }),
    policy: SITE_POLICY,
  });
  return {
    registerFiles: registerAssets,
    textPage: (page, publicUrl) => draw(sitePageOf(page), publicUrl),
    referencePage: (document, path, publicUrl) => draw(referencePage(document, path, publicUrl), publicUrl),
  };
}
