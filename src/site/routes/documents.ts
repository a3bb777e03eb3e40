import { API_TAGS } from '../../http/documents/api-info.ts';
import { tagPath } from '../../http/documents/endpoints.ts';
import { errorsPage } from '../pages/errors.ts';
import { overviewPage } from '../reference/overview.ts';
import { tagPage } from '../reference/tag-page.ts';
import { pageRoute } from '../site.ts';

export const registerOverview = pageRoute({
  url: '/docs',
  read:
    ({ deps, describe }) =>
    () =>
      overviewPage(describe(), deps.publicUrl),
});

export const registerErrorCodes = pageRoute({
  url: '/docs/errors',
  read:
    ({ deps }) =>
    () =>
      errorsPage(deps.freeDelayMs),
});

export const TAG_PAGES = API_TAGS.map((tag) =>
  pageRoute({
    url: tagPath(tag.name),
    read:
      ({ deps, describe }) =>
      () =>
        tagPage(tag, describe(), deps.publicUrl),
  }),
);
