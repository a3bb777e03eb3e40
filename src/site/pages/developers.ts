import { PLATFORM_LABELS } from '../../core/accounts/customers/customer.ts';
import { TRIAL_DAYS } from '../../core/accounts/keys/key-service.ts';
import { TIER_POLICIES, TIERS } from '../../core/accounts/tier.ts';
import { timeSpan } from '../../core/base/text/formats.ts';
import { RECONNECT_RULE } from '../../core/delivery/stream/close-codes.ts';
import { WEBHOOK_LIMITS } from '../../core/delivery/webhooks/webhook.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { code } from '../parts/code.ts';
import { numberColumn, tableOf } from '../parts/table.ts';
import type { ReportedBot } from '../service-report.ts';

const DOCUMENTS = [
  ['/docs', 'All operations, with examples to copy'],
  ['/docs/errors', 'Error codes: what each means, and what to do'],
  ['/api/v1/openapi.json', 'OpenAPI document, for generated clients'],
  ['/api/v1/asyncapi.json', 'AsyncAPI document of the stream'],
  ['/llms.txt', 'The same as one text, for language models'],
  ['/feed.xml', 'Atom feed of the newest alerts, by the filters of the list, without a key'],
  ['/feed.json', 'JSON feed, without a key'],
  ['/record.json', 'The record, without a key'],
  ['/api/v1/log/head', 'The newest entry of the log of all publications, without a key'],
] as const;

interface DevelopersModel {
  readonly publicUrl: string;
  readonly freeDelayMs: number;
  readonly bots: readonly ReportedBot[];
  readonly contact: string | null;
}

export function developersPage(model: DevelopersModel): Page {
  const { publicUrl } = model;
  return {
    title: 'Developers',
    description:
      'Get a key in a minute: the first call in curl, TypeScript and Python, limits, stream, webhooks and tools for agents.',
    path: '/developers',
    body: html`<div class="stack prose">
        <h1>Developers</h1>
        <p>
          All alerts over HTTP, as a stream and as webhooks: JSON, times in UTC, one key.
          Without a key, try <a href="/feed.json">the feed</a> of the newest ones:
        </p>
        ${code('Without a key', `curl "${publicUrl}/feed.json"`)}
      </div>
      ${keySection(model)} ${callSection(publicUrl)} ${tierSection(model)} ${pushSection(publicUrl)} ${agentSection(publicUrl)} ${documentSection()}`,
  };
}

function keySection({ bots, contact }: DevelopersModel): Html {
  const links = bots.map(
    ({ platform, url }) => html`<li><a href="${url}">Get a key on ${PLATFORM_LABELS[platform]}</a></li>`,
  );
  const operator = contact === null ? 'its operator' : html`<a href="${contact}">its operator</a>`;
  const way =
    links.length > 0
      ? html`<p>Write to the bot. It shows the key once, and can replace or revoke it.</p>
          <ul>
            ${links}
          </ul>`
      : html`<p>
          No bot of this service runs at the moment: ask ${operator} for a key. If the service runs on your own
          machine, <code>node bin/tipoff.js chat</code> in the folder of its source gives you one, the same way a bot does. The demo prints keys, and its bot is <code>node bin/tipoff.js chat --demo</code>.
        </p>`;
  const body = html`${way}
    <p>A Free key does not expire. Pro can be tried for ${TRIAL_DAYS} days, once per person. Keep the key in the environment:</p>
    ${code('The key in the environment', 'export TIPOFF_API_KEY=sk_live_…')}`;
  return section('key', '1. Get a key', body, 'prose');
}

function callSection(publicUrl: string): Html {
  const body = html`${firstCalls(publicUrl).map(
    ({ language, needs, code: text }) =>
      html`<h3>${language} <small class="muted">${needs}</small></h3>
          ${code(language, text)}`,
  )}
    <p>
      There are clients for TypeScript and Python in the folder <code>clients</code> of the source: every operation with
      its types, retries, the stream with resume, and signatures of webhooks. They are not in a registry: install them
      from there, as their READMEs show.
    </p>`;
  return section('call', '2. The first call', body, 'prose');
}

function tierSection({ freeDelayMs }: DevelopersModel): Html {
  const columns = [
    ...['Tier', 'Alerts'],
    ...['Requests per minute', 'Largest page', 'Open streams', 'Webhooks'].map(numberColumn),
  ];
  const rows = TIERS.map((tier) => {
    const { isRealtime, requestsPerMinute, maxPageSize, maxSockets, hasWebhooks } = TIER_POLICIES[tier];
    return [
      tier,
      isRealtime || freeDelayMs === 0 ? 'immediately' : `after ${timeSpan(freeDelayMs)}`,
      requestsPerMinute ?? 'unlimited',
      maxPageSize,
      maxSockets,
      hasWebhooks ? WEBHOOK_LIMITS.perKey : 0,
    ];
  });
  const title = 'Tiers and limits';
  const body = html`${tableOf(title, columns, rows)}
    <p class="prose">
      Above a limit the answer is 429, and <code>Retry-After</code> says how long to wait. Every error has a
      <code>code</code> that keeps its meaning: <a href="/docs/errors">all codes</a>.
    </p>`;
  return section('tiers', title, body);
}

function pushSection(publicUrl: string): Html {
  const body = html`<p>
      The stream (Pro and Enterprise) is a WebSocket at <code>/ws/alerts</code>. After a lost connection it resumes with
      <code>since_id</code>: each alert comes once. ${RECONNECT_RULE}
    </p>
    ${code('The stream in TypeScript', streamCode(publicUrl))}
    <p>
      Webhooks (Enterprise) are sent once, to an https address, and signed according to
      <a href="https://www.standardwebhooks.com">Standard Webhooks</a>. Answer 200 within 5 seconds.
      With <code>format</code> they post to Discord, Slack or ntfy instead. Beside the demo,
      <code>node bin/tipoff.js listen</code> verifies and prints them. With the client:
    </p>
    ${code('A webhook in TypeScript', WEBHOOK_CODE)}`;
  return section('push', '3. Stream and webhooks', body, 'prose');
}

function agentSection(publicUrl: string): Html {
  const body = html`<p>
      Assistants read alerts with the tools of the <a href="https://modelcontextprotocol.io">Model Context Protocol</a> at
      <code>/mcp</code>: they list, explain and search, but change nothing. The key and its limits are those of the API;
      leave the header out to try it without one. In Claude Code:
    </p>
    ${code('Claude Code', claudeCode(publicUrl))}
    <p>In Cursor, the file <code>.cursor/mcp.json</code>:</p>
    ${code('Cursor', cursorFile(publicUrl))}
    <p>In VS Code, the file <code>.vscode/mcp.json</code>; it asks for the key once:</p>
    ${code('VS Code', vsCodeFile(publicUrl))}`;
  return section('agents', '4. Agents', body, 'prose');
}

export function claudeCode(publicUrl: string): string {
  return `claude mcp add --transport http tipoff ${publicUrl}/mcp \\
  --header "Authorization: Bearer $TIPOFF_API_KEY"`;
}

export function cursorFile(publicUrl: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor replaces it
  const headers = { Authorization: 'Bearer ${env:TIPOFF_API_KEY}' };
  return JSON.stringify({ mcpServers: { tipoff: { url: `${publicUrl}/mcp`, headers } } }, null, 2);
}

export function vsCodeFile(publicUrl: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code replaces it
  const headers = { Authorization: 'Bearer ${input:tipoff-key}' };
  const key = { type: 'promptString', id: 'tipoff-key', description: 'Tipoff API key', password: true };
  const servers = { tipoff: { type: 'http', url: `${publicUrl}/mcp`, headers } };
  return JSON.stringify({ inputs: [key], servers }, null, 2);
}

function documentSection(): Html {
  const body = html`<ul>
      ${DOCUMENTS.map(([path, words]) => html`<li><a href="${path}">${path}</a>: ${words}</li>`)}
    </ul>`;
  return section('documents', 'Documents', body, 'prose');
}

interface FirstCall {
  readonly language: 'Shell' | 'TypeScript' | 'Python';
  readonly needs: string;
  readonly code: string;
}

function firstCalls(publicUrl: string): readonly FirstCall[] {
  return [
    {
      language: 'Shell',
      needs: 'curl',
      code: `curl -H "Authorization: Bearer $TIPOFF_API_KEY" \\
  "${publicUrl}/api/v1/alerts/latest?limit=1"`,
    },
    {
      language: 'TypeScript',
      needs: 'Node 20 or later, Deno or Bun',
      code: `const response = await fetch('${publicUrl}/api/v1/alerts/latest?limit=1', {
  headers: { authorization: \`Bearer \${process.env.TIPOFF_API_KEY}\` },
});
for (const alert of await response.json()) console.log(alert.id, alert.signal_score, alert.event_title);`,
    },
    {
      language: 'Python',
      needs: 'Python 3, nothing else',
      code: `import json, os, urllib.request

request = urllib.request.Request(
    "${publicUrl}/api/v1/alerts/latest?limit=1",
    headers={"Authorization": f"Bearer {os.environ['TIPOFF_API_KEY']}"},
)
for alert in json.load(urllib.request.urlopen(request)):
    print(alert["id"], alert["signal_score"], alert["event_title"])`,
    },
  ];
}

export function streamCode(publicUrl: string): string {
  return `import { createTipoff } from 'tipoff-client';

const tipoff = createTipoff({ url: '${publicUrl}', apiKey: process.env.TIPOFF_API_KEY });
for await (const alert of tipoff.follow({ sinceId: 1204, filters: { categories: ['politics'] } })) {
  console.log(alert.id, alert.event_title);
}`;
}

export const WEBHOOK_CODE = `const { id, payload } = await verifyWebhook(rawBody, request.headers, ['whsec_…']);`;
