import { TIER_POLICIES } from '../../core/accounts/tier.ts';
import { CLOSE_CODES, RECONNECT_RULE } from '../../core/delivery/stream/close-codes.ts';
import { type JsonSchema, JsonSchemas, resolved, type Schemas } from '../schemas/json-schema.ts';
import { FRAMES, streamQuerySchema } from '../stream/frames.ts';
import { API_INFO } from './api-info.ts';

const { pro, enterprise } = TIER_POLICIES;

const CLOSES = Object.values(CLOSE_CODES)
  .map(({ code, meaning, isWorthRetrying }) => `| ${code} | ${meaning} | ${isWorthRetrying ? 'yes' : 'no'} |`)
  .join('\n');

const DESCRIPTION = `The alerts of ${API_INFO.title}, each as soon as it is published, for pro and enterprise keys. The REST API is described at \`/api/v1/openapi.json\`.

\`connected\` comes first, then what was missed if \`since_id\` was given, then every live alert, with ascending ids. Send the text \`ping\` every 20 to 25 seconds: a connection that goes 30 seconds without one is dropped; pings of the WebSocket protocol itself, which some clients send automatically, do not count. Reconnect with exponential backoff, 1 to 30 seconds, and set \`since_id\` to the last id received: no alert is then missed or sent twice. Ids have gaps where the filter does not match, and for alerts from before the start of the service's run (the history of a tape). A query parameter that the stream does not know, and a wrong value, close it with 4400, and the reason names them. Ignore frames and fields you do not know. \`outcomes=true\` also sends outcomes, which \`GET /api/v1/outcomes\` returns as a sequence without gaps: after each \`connected\`, read from it everything after your last \`number\`. \`exits=true\` and \`GET /api/v1/exits\` do the same for exits. \`test=1\` sends one invented alert after \`connected\`, with the id 0; do not resume from that id. Every frame carries a head of the log as \`log\`; an alert, outcome or exit carries that of its own entry, in its \`data\`. \`GET /api/v1/events\` returns the entries.

A refused handshake is answered like any request, with a status and \`{"detail": "…", "code": "…"}\` (\`/docs/errors\`): 400 and 426 for an invalid handshake, 401 for a missing or wrong key, 429 for too many sockets (${pro.maxSockets} open for a pro key, ${enterprise.maxSockets} for an enterprise key) or requests (a handshake counts as one), 503 when the service is temporarily unavailable. The socket of a free key is opened and closed immediately.

${RECONNECT_RULE}

| close code | meaning | reconnect unchanged |
|---|---|---|
${CLOSES}`;

export function describeStream() {
  const schemas = new JsonSchemas('draft-07');
  const payloads = Object.entries(schemas.ofShape(FRAMES, 'output'));
  const frames = payloads.map(([name, payload]) => [name, message(payload, schemas.components)] as const);
  const messages = { ...Object.fromEntries(frames), ...PINGS };
  return {
    asyncapi: '3.0.0',
    info: { title: `${API_INFO.title} stream`, version: API_INFO.version, description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: { tls: server('wss', 'Behind TLS.'), plain: server('ws', 'Without TLS, for development.') },
    channels: { alerts: alertsChannel(Object.keys(messages), schemas) },
    operations: {
      sendFrames: operation('send', 'Frames from the service.', Object.keys(FRAMES)),
      receivePing: {
        ...operation('receive', 'Messages from the client.', Object.keys(PINGS)),
        reply: { channel: CHANNEL, messages: [inChannel('pong')] },
      },
    },
    components: {
      schemas: schemas.components,
      messages,
      securitySchemes: { apiKey: API_KEY },
    },
  };
}

const API_KEY = {
  type: 'httpApiKey',
  in: 'query',
  name: 'api_key',
  description: 'The API key, in the address of the WebSocket stream only.',
};

const CHANNEL = { $ref: '#/channels/alerts' };
const inChannel = (name: string) => ({ $ref: `#/channels/alerts/messages/${name}` });

const PINGS = {
  ping: {
    summary: 'Keeps the connection open. Send it every 20 to 25 seconds; the answer is `pong`.',
    contentType: 'text/plain',
    payload: { type: 'string', const: 'ping' },
    examples: [{ payload: 'ping' }],
  },
  jsonPing: {
    summary: 'The same as `ping`, for clients that send JSON only.',
    payload: { type: 'object', required: ['type'], properties: { type: { const: 'ping' } } },
    examples: [{ payload: { type: 'ping' } }],
  },
};

function server(protocol: 'ws' | 'wss', description: string) {
  return {
    host: '{host}',
    protocol,
    description,
    variables: { host: { description: 'Host of the service.', default: 'localhost:8080' } },
    security: [{ $ref: '#/components/securitySchemes/apiKey' }],
  };
}

function alertsChannel(messages: readonly string[], schemas: JsonSchemas) {
  const apiKey = { type: 'string', description: 'The API key.', examples: ['sk_live_…'] };
  const properties = { api_key: apiKey, ...schemas.ofShape(streamQuerySchema.shape, 'input') };
  return {
    address: '/ws/alerts',
    description: 'One WebSocket connection.',
    messages: Object.fromEntries(messages.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    bindings: {
      ws: {
        method: 'GET',
        query: { type: 'object', required: ['api_key'], properties },
        bindingVersion: '0.1.0',
      },
    },
  };
}

function operation(action: 'send' | 'receive', summary: string, messages: readonly string[]) {
  return { action, channel: CHANNEL, summary, messages: messages.map(inChannel) };
}

function message(payload: JsonSchema, components: Schemas) {
  const { description: summary, examples = [] } = resolved(payload, components);
  return { summary, payload, examples: examples.map((example) => ({ payload: example })) };
}
