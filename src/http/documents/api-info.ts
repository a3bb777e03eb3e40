import { TIER_POLICIES, TIERS } from '../../core/tier.ts';

const LIMITS = TIERS.map((tier) => {
  const { requestsPerMinute, maxPageSize } = TIER_POLICIES[tier];
  return `| ${tier} | ${requestsPerMinute ?? 'unlimited'} | ${maxPageSize} |`;
}).join('\n');

const DESCRIPTION = `Tipoff watches a prediction market, recognises the trades that look informed, and publishes each as an alert with a signal score from 0 to 100.

All bodies are JSON, all times UTC. Paths begin with \`/api/v1\`.

## Keys

Send \`Authorization: Bearer <API_KEY>\`. A key is \`sk_live_\` and 43 characters. The operator of the service issues it and shows it once; it is stored hashed, so a lost one cannot be recovered. Only \`GET /hot-markets\` and these documents need no key. A missing or wrong key is a 401.

## Limits

| tier | requests a minute | largest page |
|---|---|---|
${LIMITS}

\`GET /stats\` does not count. Above the limit the answer is 429 with \`Retry-After\`; \`RateLimit-*\` headers tell what is left. Free keys see alerts 5 minutes late.

## Errors

Every error is \`{"detail": "…"}\`; a 422 names each wrong value: \`{"detail": [{"loc": ["query", "limit"], "msg": "…", "type": "…"}]}\`. An unknown path is a 404, a wrong method a 405 with \`Allow\`.

## Stream (not served by this version yet)

\`{ws_url}/ws/alerts?api_key=<API_KEY>\` is a WebSocket at the root of this host (\`wss://\` behind TLS), for Pro and Enterprise. Frames are JSON with a \`type\`: \`connected\` (\`message\`, \`tier\`) once, \`alert\` (\`data\`: an alert) for each live alert, \`pong\`. Send the text \`ping\` every 20 to 25 seconds: a connection without one in any 30 seconds is dropped. Reconnect with exponential backoff, 1 to 30 seconds. \`since_id=N\` sends what came after alert N first.

## Webhooks

Enterprise keys register HTTPS addresses; delivery is not built into this version yet. Each matching alert will be sent there once by POST, as JSON, signed by Standard Webhooks. Answer 200 within 5 seconds; a failed delivery is not repeated.`;

export const API_INFO = { title: 'Tipoff', version: '1.0', description: DESCRIPTION };

/** A route names one of these. */
export const API_TAGS = [
  { name: 'Alerts', description: 'Suspicious trades.' },
  { name: 'Markets', description: 'Figures over many alerts.' },
  { name: 'Key', description: 'The calling key.' },
  { name: 'Presets', description: 'Saved filters.' },
  { name: 'Webhooks', description: 'Push delivery, for Enterprise.' },
  { name: 'Documents', description: 'This description.' },
];

export const SECURITY_SCHEMES = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key, in the header `Authorization`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'The API key, in the address of the WebSocket stream only.',
  },
} as const;
