// Receives webhooks. It listens without TLS, for a proxy that speaks it.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookVerificationError } from 'tipoff-client';

const seen = new Set();
const server = createServer(async (request, response) => {
  try {
    const body = await buffer(request);
    const { id, payload } = await verifyWebhook(body, request.headers, process.env.TIPOFF_WEBHOOK_SECRET);
    response.writeHead(200).end();
    if (!seen.has(id)) console.log(payload.id, payload.event_title);
    seen.add(id);
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
  }
});
server.listen(process.env.PORT, () => console.log('listening'));
