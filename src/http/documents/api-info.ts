import { TIER_POLICIES, TIERS } from '../../core/accounts/tier.ts';
import { DAY_MS } from '../../core/base/time/duration.ts';
import { RECONNECT_RULE } from '../../core/delivery/stream/close-codes.ts';
import { DELIVERY_LIMITS } from '../../core/delivery/webhooks/delivery.ts';
import { WEBHOOK_LIMITS } from '../../core/delivery/webhooks/webhook.ts';
import { ERRORS_IN_WORDS, STATES_IN_WORDS } from '../views/delivery-view.ts';

const KEPT_DAYS = DELIVERY_LIMITS.keptMs / DAY_MS;

const LIMITS = TIERS.map((tier) => {
  const { requestsPerMinute, maxPageSize, maxSockets, hasWebhooks } = TIER_POLICIES[tier];
  const webhooks = hasWebhooks ? WEBHOOK_LIMITS.perKey : 0;
  return `| ${tier} | ${requestsPerMinute ?? 'unlimited'} | ${maxPageSize} | ${maxSockets} | ${webhooks} |`;
}).join('\n');

const DESCRIPTION = `Tipoff watches Polymarket, recognises the bets that look informed, and publishes each as an alert with a signal score from 0 to 100.

All bodies are JSON, all times UTC. Paths begin with \`/api/v1\`, except the feeds (\`/feed.json\`, \`/feed.xml\`) and the record (\`/record.json\`). Unknown query parameters are ignored and listed in the header \`X-Unknown-Parameters\`. When a list has more entries, the header \`Link\` (\`rel="next"\`) gives the path of the next page. Later versions may add fields, enumeration values, error codes, headers and frames of the stream: ignore those that you do not know.

## Keys

Send \`Authorization: Bearer <API_KEY>\`. A key is \`sk_live_\` followed by 43 characters. The operator of the service issues it and shows it once; it is stored hashed, so a lost key cannot be recovered. Only \`GET /hot-markets\`, \`GET /coverage\`, \`GET /events\`, the feeds, the files of the record and these documents need no key. On all other routes a missing or wrong key is a 401; on these, a wrong key is treated like no key.

## Limits

| tier | requests per minute | largest page | open sockets | webhooks |
|---|---|---|---|---|
${LIMITS}

\`GET /stats\` does not count. Above the limit the answer is 429 with \`Retry-After\`; \`RateLimit-*\` headers show what is left. Free keys, and callers without a key, see alerts {free_delay} late; this applies to totals and figures too.

## Errors

Every error is \`{"detail": "…", "code": "…"}\`; in a 422 \`detail\` names each wrong value: \`[{"loc": ["query", "limit"], "msg": "…", "type": "…"}]\`. Test for \`code\`, whose meaning never changes; [\`/docs/errors\`](/docs/errors) explains each, and the header \`Link\` leads there. An unknown path is a 404, a wrong method a 405 with \`Allow\`.

## Log

Everything that is published is recorded in an append-only log. Each entry has a number (1, 2, 3 … without a gap), the hash of the entry before it, and a hash of its own: the SHA-256 of its canonical JSON (RFC 8785) without \`hash\`. A number and its hash (together called a head) therefore identify all entries up to it. An alert carries its entry as \`log\` (null if it is older than the log); every other frame of the stream carries the newest head. Keep one: if the log does not contain it later, the log was changed. \`GET /api/v1/events\` reads the log, with \`limit=0\` its newest head alone.

## Stream

\`{ws_url}/ws/alerts?api_key=<API_KEY>\` is a WebSocket at the root of this host (\`wss://\` behind TLS), for Pro and Enterprise. Frames are JSON with a \`type\`: \`connected\` (\`message\`, \`tier\`) once, \`alert\` (\`data\`: an alert) for each live alert, \`outcome\` (\`data\`: an outcome) with \`outcomes=true\`, \`exit\` (\`data\`: an exit) with \`exits=true\`, \`pong\`, \`gap\`, \`error\`, and \`degraded\` and \`recovered\` when the market has been unavailable for a minute and when it is available again; all but \`alert\`, \`outcome\` and \`exit\` carry \`log\`, the newest head of the log. \`test=1\` sends one invented alert first. Send the text \`ping\` every 20 to 25 seconds: a connection that goes 30 seconds without one is dropped. \`since_id=N\` first sends everything after alert N; \`category\`, \`categories\`, \`side\`, \`min_usdc\`, \`min_position\`, \`min_signal\`, \`alert_type\`, \`search\`, \`wallet\` and \`market\` filter as in \`GET /alerts\`.

A wrong key is a 401 in the handshake, a socket beyond the limit is a 429. The server closes with 4400 (unknown query parameter or wrong value, named in the reason), 4401 (key revoked or expired), 4403 (the tier has no stream), 4408 (no ping), 4409 (read too slowly), 4429 (too many messages) or 1001 (restart). ${RECONNECT_RULE} Reconnect with exponential backoff, 1 to 30 seconds. All frames and codes: [\`/api/v1/asyncapi.json\`](/api/v1/asyncapi.json).

## Webhooks

Enterprise keys register HTTPS addresses. Each alert that passes the \`categories\`, \`min_signal\` and \`filters\` of a webhook is sent there once by POST: the whole alert as JSON. With \`events\` \`alert,outcome,exit\` the outcomes of its markets and the exits of its thread are sent too, in the form that \`GET /outcomes\` and \`GET /exits\` return, with \`"type": "outcome"\` or \`"exit"\`. Answer 200 within 5 seconds, including the time to connect; any other answer is a failed delivery. A failed delivery is not repeated, unless you ask for it with \`POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver\`; \`GET /alerts?since_id=N&expand=details\` returns what you missed after alert N, \`GET /outcomes?after=N\` after outcome N, \`GET /exits?after=N\` after exit N. Redirects are not followed. With the \`format\` \`discord\`, \`slack\` or \`ntfy\` a webhook receives human-readable messages in the format of that service; any 2xx acknowledges them. \`POST /webhooks/{webhook_id}/test\` sends a sample marked \`"test": true\`; \`GET /webhooks/{webhook_id}/deliveries\` lists the deliveries of at least the last ${KEPT_DAYS} days and their results.

Deliveries are signed according to [Standard Webhooks](https://www.standardwebhooks.com): the headers are \`webhook-id\` (the same for the same alert or event: use it to drop duplicates), \`webhook-timestamp\` and \`webhook-signature\`. Verify the bytes as received, before parsing them:

\`\`\`js
import { Webhook } from 'standardwebhooks';
const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…
export function receive(rawBody, headers) {
  const event = webhook.verify(rawBody, headers); // throws when it is not from us, or older than 5 minutes
  if (event.type === 'outcome') settle(event);
  else if (!event.test) take(event);
}
\`\`\`

States of a delivery: ${STATES_IN_WORDS} Errors: ${ERRORS_IN_WORDS}`;

export const API_INFO = { title: 'Tipoff', version: '1.0', description: DESCRIPTION };

export const API_TAGS = [
  { name: 'Alerts', description: 'Suspicious trades.' },
  { name: 'Markets', description: 'One market, and figures over many alerts.' },
  { name: 'Wallets', description: 'One wallet.' },
  { name: 'Record', description: 'What the alerts were worth.' },
  { name: 'Outcomes', description: 'What markets paid, as one sequence without gaps.' },
  { name: 'Exits', description: 'What was sold before the end, as one sequence without gaps.' },
  {
    name: 'Log',
    description: 'Every publication in order; each entry contains the hash of the one before it.',
  },
  { name: 'Key', description: 'The calling key.' },
  { name: 'Presets', description: 'Saved filters.' },
  { name: 'Webhooks', description: 'Push delivery, for Enterprise.' },
  { name: 'Events', description: 'Requests that the service sends to a registered webhook.' },
  { name: 'Feeds', description: 'Alerts for feed readers.' },
  { name: 'Documents', description: 'This description.' },
];

export const BEARER_AUTH = {
  type: 'http',
  scheme: 'bearer',
  description: 'The API key, in the header `Authorization`.',
};
