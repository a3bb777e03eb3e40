/** A pattern that prose must not have, and what to write in its place. */
export interface ProseRule {
  /** Name of the rule in lists and counts. */
  readonly name: string;
  /** Global, without case; white space between words is one `\s+`, so that a line break does not hide it. */
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Folders and files whose prose is checked. */
export const CHECKED_PROSE: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  '.env.example',
  'compose.yaml',
  'Dockerfile',
  'deploy/Caddyfile',
  'deploy/nginx.conf',
  'deploy/tipoff.service',
  'data',
  'docs',
  'examples',
  'clients',
  'scripts',
  'src',
  'bots',
  'jobs',
  'test',
  'CHANGELOG.md',
];

/** Never checked: they quote what the rules forbid. */
export const QUOTING_FILES: readonly string[] = ['scripts/code/prose-rules.ts', 'test/scripts/prose.test.ts'];

export const PROSE_RULES: readonly ProseRule[] = [
  {
    name: 'nobody, somebody',
    pattern: /\b(?:no|some)body\b/gi,
    instead: 'name the subject: no process, no client, another user',
  },
  {
    name: 'everybody, no one',
    // A mention of Discord, and an answer of Telegram, are quoted as they are.
    pattern: /(?<!@|deleted for )\b(?:everybody|everyone|no\s+one)\b/gi,
    instead: 'all users, all callers, no client',
  },
  { name: 'anew', pattern: /\banew\b/gi, instead: 'again' },
  { name: 'merely', pattern: /\bmerely\b/gi, instead: 'only' },
  {
    name: 'whoever, whom, those who',
    pattern: /\b(?:whoever|whomever|whom|(?:those|people|one|he)\s+who)\b/gi,
    instead: 'name the role: a client that …, a user who …',
  },
  { name: 'tells, told', pattern: /\b(?:tells|told)\b/gi, instead: 'states, reports, shows, identifies' },
  {
    name: 'ours',
    pattern: /\bours\b/gi,
    instead: 'own, in-house, of this service, or the name of the part',
  },
  { name: 'stands on, stands in', pattern: /\bstands\s+(?:on|in)\b/gi, instead: 'depends on, is in' },
  { name: 'is to be', pattern: /\b(?:is|are|was|were)\s+to\s+be\b/gi, instead: 'must be, will be, can be' },
  {
    name: 'for good, for ever',
    pattern: /\bfor\s+(?:good|ever)\b(?!\s+\w*reason)/gi,
    instead: 'permanently',
  },
  {
    name: 'by itself',
    pattern: /\bby\s+(?:itself|themselves)\b/gi,
    instead: 'automatically, alone, on its own',
  },
  { name: 'anyhow', pattern: /\banyhow\b/gi, instead: 'in any case, or nothing' },
  { name: 'at once', pattern: /\bat\s+once\b/gi, instead: 'immediately, in one call, at the same time' },
  { name: 'goes on', pattern: /\b(?:go|goes|going|went)\s+on\b/gi, instead: 'continues' },
  { name: 'all the same', pattern: /\ball\s+the\s+same\b/gi, instead: 'nevertheless, or nothing' },
  { name: 'as it stands', pattern: /\bas\s+(?:it|they)\s+stands?\b/gi, instead: 'unchanged' },
  { name: 'without end', pattern: /\bwithout\s+end\b/gi, instead: 'indefinitely' },
  { name: 'shall', pattern: /\bshall\b/gi, instead: 'must, will, should' },
  { name: 'knows no', pattern: /\bknows?\s+no\b/gi, instead: 'has no, does not know' },
  { name: 'comes along', pattern: /\bcomes?\s+along\b/gi, instead: 'is included' },
  { name: 'looks after', pattern: /\b(?:look|looks|looked)\s+after\b/gi, instead: 'manages, monitors' },
  {
    name: 'takes turns',
    pattern: /\b(?:take|takes|taking)\s+turns\b/gi,
    instead: 'alternate; served round robin',
  },
  { name: 'has to', pattern: /\b(?:has|have)\s+to\s+be\b/gi, instead: 'must be' },
  {
    name: 'hands over, handed on',
    pattern: /\bhand(?:s|ed|ing)?\s+(?:over|on)\b/gi,
    instead: 'passes, delivers',
  },
  {
    name: 'has the say',
    pattern: /\b(?:is\s+the\s+word\s+on|has\s+the\s+say|is\s+the\s+truth)\b/gi,
    instead: 'decides',
  },
  {
    name: 'in hand, under way',
    pattern: /\b(?:in\s+hand|under\s+way)\b/gi,
    instead: 'in progress, in flight',
  },
  { name: 'rests', pattern: /\brests\s+(?:in|on|beside|nowhere)\b/gi, instead: 'is stored' },
  { name: 'stand-in', pattern: /\bstand-ins?\b/gi, instead: 'simulator, fake' },
];
