import type { IncomingHttpHeaders } from 'node:http';
import * as discord from 'discord-api-spec/zod';
import type { MessageFormat } from '../../../src/core/delivery/webhooks/webhook-format.ts';
import type { ServerCertificate } from '../tls/authority.ts';
import { bodyOf, startHttpsServer } from '../tls/https-server.ts';

interface Answer {
  readonly status: number;
  readonly body?: string | object;
}

interface Received {
  readonly format: MessageFormat | 'json';
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly answer: Answer;
}

/** The paths of a webhook of each service, and of a receiver of JSON. */
export const HOOK_PATHS = {
  discord: '/api/webhooks/1234/token',
  slack: '/services/T0/B0/token',
  ntfy: '/my-topic',
  json: '/hook/json',
} as const;

/**
 * Discord, Slack, ntfy and a program that takes JSON behind one address. They refuse what the services refuse, as their
 * documentation says.
 */
export async function startServiceStandIns(certificate: ServerCertificate) {
  const received: Received[] = [];
  const server = await startHttpsServer(certificate, async (request, response) => {
    const url = new URL(request.url ?? '/', 'https://stand-in');
    const body = (await bodyOf(request)).toString();
    const format = formatOf(url.pathname);
    const answer: Answer = format === null ? { status: 404 } : ANSWERS[format](body, url);
    if (format !== null) received.push({ format, headers: request.headers, body, answer });
    const text = typeof answer.body === 'object' ? JSON.stringify(answer.body) : answer.body;
    response.writeHead(answer.status).end(text);
  });
  return {
    ...server,
    received: (format: keyof typeof HOOK_PATHS) => received.filter((each) => each.format === format),
  };
}

/** Messages to ntfy come to the root of the server. */
function formatOf(path: string): Received['format'] | null {
  if (path === '/') return 'ntfy';
  const found = Object.entries(HOOK_PATHS).find(([, own]) => own === path);
  return (found?.[0] as Received['format'] | undefined) ?? null;
}

/** The JSON of a body as a strict parser reads it: without halves of characters, and in UTF-8. Null: it is none. */
function strictJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => {
      if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('lone surrogate');
      return value;
    });
  } catch {
    return null;
  }
}

/** docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const INVALID_JSON = { message: 'The request body contains invalid JSON.', code: 50_109 };
const EMPTY = { message: 'Cannot send an empty message', code: 50_006 };

const ANSWERS: Readonly<Record<Received['format'], (body: string, url: URL) => Answer>> = {
  json: () => ({ status: 200 }),
  discord(text, url) {
    const body = strictJson(text);
    if (body === null) return { status: 400, body: INVALID_JSON };
    // Discord's own description of its API: content of 2,000 characters, types of mentions, and so on.
    const parsed = discord.IncomingWebhookRequestPartialSchema.safeParse(body);
    if (!parsed.success) return { status: 400, body: { code: 50_035, message: 'Invalid Form Body' } };
    const { content, allowed_mentions: mentions } = parsed.data;
    if ((content ?? '').trim() === '') return { status: 400, body: EMPTY };
    // docs.discord.com/developers/resources/message#allowed-mentions-object: without it every mention counts.
    if (mentions?.parse?.length !== 0) return { status: 400, body: 'would mention' };
    // docs.discord.com/developers/resources/webhook#execute-webhook: 200 with the message, or 204.
    return url.searchParams.get('wait') === 'true'
      ? { status: 200, body: { id: '1', content, filler: 'x'.repeat(2_000) } }
      : { status: 204 };
  },
  /** docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors; chat.postMessage cuts above 40,000 characters. */
  slack(text) {
    const body = strictJson(text) as { readonly text?: unknown } | null;
    if (typeof body !== 'object' || body === null) return { status: 400, body: 'invalid_payload' };
    if (typeof body.text !== 'string' || body.text.trim() === '') return { status: 400, body: 'no_text' };
    return body.text.length > 4_000 ? { status: 400, body: 'msg_too_long' } : { status: 200, body: 'ok' };
  },
  ntfy: (text) => ntfyAnswer(strictJson(text) as NtfyBody | null),
};

/** docs.ntfy.sh/publish/#publish-as-json */
interface NtfyBody {
  readonly topic?: string;
  readonly title?: string;
  readonly message?: string;
  readonly tags?: readonly string[];
  readonly priority?: number;
  readonly click?: string;
  readonly actions?: readonly { readonly action: string; readonly label: string; readonly url: string }[];
}

const NTFY_FIELDS = ['topic', 'title', 'message', 'tags', 'priority', 'click', 'actions'];

/** Codes as in github.com/binwiederhier/ntfy, server/errors.go. */
function ntfyAnswer(body: NtfyBody | null): Answer {
  const refused = (code: number) => ({ status: Math.floor(code / 100), body: { code } });
  if (body === null || Object.keys(body).some((name) => !NTFY_FIELDS.includes(name))) return refused(40_017);
  if (!/^[-_A-Za-z0-9]{1,64}$/.test(body.topic ?? '')) return refused(40_009);
  if (![undefined, 1, 2, 3, 4, 5].includes(body.priority)) return refused(40_007);
  const actions = body.actions ?? [];
  const areActions = actions.every(
    ({ action, label, url }) => action === 'view' && label && URL.canParse(url),
  );
  if (actions.length > 3 || !areActions) return refused(40_018);
  // docs.ntfy.sh/publish/#limitations: a longer message becomes an attachment.
  if (Buffer.byteLength(body.message ?? '') > 4_096) return refused(41_301);
  return { status: 200, body: { id: 'x', event: 'message', topic: body.topic } };
}
