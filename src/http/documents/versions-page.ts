import type { Deprecated } from '../hooks/deprecation.ts';
import type { TextPage } from './document-pages.ts';

const RULES = [
  {
    id: 'version',
    title: 'The version',
    paragraphs: [
      'The version is the part `/api/v1` of every path; the stream, the feeds and the files at the root of the host belong to it. A change that could break a client is released as `/api/v2`; `/api/v1` then keeps working for at least 12 more months.',
    ],
  },
  {
    id: 'added',
    title: 'What may be added at any time',
    paragraphs: [
      'Operations, optional parameters, fields of answers, values of enumerations, error codes, headers, frames of the stream and events of webhooks. New events are sent only to those who ask for them.',
      'Ignore fields and frames that you do not know, and treat an unknown value of an enumeration as “other”, an unknown error code by its status. The order of fields, the wording of `detail`, of notes and of other sentences may change.',
    ],
  },
  {
    id: 'kept',
    title: 'What never changes within a version',
    paragraphs: [
      'Paths and methods; names, types, formats and meaning of parameters and fields; the order of lists; error codes with their status; close codes of the stream; how webhooks are signed. Ids, numbers, entries of the log and texts of alerts that were published. A parameter that is optional stays optional, and no limit of a tier becomes stricter.',
      'What makes a trade an alert is not part of the version: `details.rule_version` says which rules an alert was made by.',
    ],
  },
  {
    id: 'deprecation',
    title: 'Deprecation',
    paragraphs: [
      'Deprecated parts work as before, but new code should not use them. They are marked in the OpenAPI document and listed at `/docs/versions`. Answers to requests that use them have the header `Deprecation` with the time of deprecation (RFC 9745), and a `Link` to that list with `rel="deprecation"`.',
      'If the part will be removed, they also have `Sunset` with the time of removal (RFC 8594), at least 12 months after that of `Deprecation`. From then on a path is a 404, and a parameter is ignored and listed in `X-Unknown-Parameters`.',
    ],
  },
] as const;

/** What clients can rely on, and what of it is deprecated now. */
export function versionsPage(deprecated: readonly Deprecated[]): TextPage {
  const list = deprecated.map(listed);
  return {
    path: '/docs/versions',
    title: 'Versions and deprecation',
    description: 'What may be added to the API, what never changes, and how its parts are deprecated.',
    about: 'What a client of the API can rely on.',
    sections: [
      ...RULES,
      { id: 'deprecated', title: 'Deprecated now', paragraphs: list.length === 0 ? ['Nothing.'] : list },
    ],
  };
}

function listed({ route, parameter, since, sunset, instead }: Deprecated): string {
  const what = parameter === null ? `\`${route}\`` : `\`${parameter}\` of \`${route}\``;
  const end =
    sunset === undefined ? 'It stays for the lifetime of this version.' : `It will be removed on ${sunset}.`;
  return `${what}, since ${since}: use ${instead}. ${end}`;
}
