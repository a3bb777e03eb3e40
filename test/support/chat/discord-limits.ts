import { invalid, type Open, type Refusal } from './discord-wire.ts';

/**
 * Discord publishes no numbers for routes ("rate limits should not be hard coded into your app"); these are of its example
 * of the headers (discord.com/developers/docs/topics/rate-limits). "All bots can make up to 50 requests per second", and
 * "interaction endpoints are not bound to the bot's Global Rate Limit".
 */
const ROUTE = { most: 5, windowMs: 5_000 };
const GLOBAL = { most: 50, windowMs: 1_000 };
/** "You must send an initial response within 3 seconds of receiving the event." */
const ACKNOWLEDGE_MS = 3_000;
/** "Interaction tokens are valid for 15 minutes." (…/docs/interactions/receiving-and-responding) */
const TOKEN_MS = 15 * 60_000;
const MESSAGES = /^(POST|PATCH|DELETE) \/channels\/(\d+)\/messages/;
const INTERACTIONS = /^\/(interactions|webhooks)\//;

type Headers = Readonly<Record<string, string>>;
interface Window {
  readonly most: number;
  readonly windowMs: number;
}

/** Rate limits and life times of Discord. */
export class DiscordLimits {
  readonly #now: () => number;
  readonly #all: number[] = [];
  readonly #buckets = new Map<string, number[]>();
  /** Calls that were refused. */
  refusals = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a call. The headers are of every answer of a limited route; the refusal is null within the limits. */
  check(method: string, path: string): { readonly headers: Headers; readonly refusal: Refusal | null } {
    if (INTERACTIONS.test(path)) return { headers: {}, refusal: null };
    const [, verb, channel] = MESSAGES.exec(`${method} ${path}`) ?? [];
    if (verb === undefined || channel === undefined) return this.#globally({});
    // The channel is a top-level resource: each has limits of its own.
    const bucket = `${verb}:${channel}`;
    const calls = this.#buckets.get(bucket) ?? [];
    this.#buckets.set(bucket, calls);
    const waitMs = this.#take(calls, ROUTE);
    const resetMs = (calls[0] ?? this.#now()) + ROUTE.windowMs - this.#now();
    const headers = {
      'x-ratelimit-limit': String(ROUTE.most),
      'x-ratelimit-remaining': String(ROUTE.most - calls.length),
      'x-ratelimit-reset': String((this.#now() + resetMs) / 1_000),
      'x-ratelimit-reset-after': String(resetMs / 1_000),
      'x-ratelimit-bucket': `messages-${verb.toLowerCase()}`,
    };
    return waitMs > 0 ? this.#refused(headers, waitMs, 'user') : this.#globally(headers);
  }

  /** What an interaction that waited too long refuses; null for another call. */
  expired(method: string, path: string, open: ReadonlyMap<string, Open>): Refusal | null {
    const [, callback, webhook] =
      /^(?:POST \/interactions\/\d+\/(\S+)\/callback|\w+ \/webhooks\/\d+\/([^/]+))/.exec(
        `${method} ${path}`,
      ) ?? [];
    const exchange = open.get(callback ?? webhook ?? '');
    if (exchange === undefined) return null;
    const age = this.#now() - exchange.at;
    if (callback !== undefined && age > ACKNOWLEDGE_MS)
      return { status: 404, body: { code: 10_062, message: 'Unknown interaction' } };
    return age > TOKEN_MS ? { status: 401, body: { code: 50_027, message: 'Invalid Webhook Token' } } : null;
  }

  #globally(headers: Headers) {
    const waitMs = this.#take(this.#all, GLOBAL);
    return waitMs > 0 ? this.#refused(headers, waitMs, 'global') : { headers, refusal: null };
  }

  /** Milliseconds until there is room; 0: the call was counted. */
  #take(calls: number[], { most, windowMs }: Window): number {
    while ((calls[0] ?? Infinity) <= this.#now() - windowMs) calls.shift();
    if (calls.length >= most) return (calls[0] ?? 0) + windowMs - this.#now();
    calls.push(this.#now());
    return 0;
  }

  #refused(headers: Headers, waitMs: number, scope: 'user' | 'global') {
    this.refusals += 1;
    const seconds = waitMs / 1_000;
    const body = { message: 'You are being rate limited.', retry_after: seconds, global: scope === 'global' };
    const more: Headers = {
      'retry-after': String(Math.ceil(seconds)),
      'x-ratelimit-scope': scope,
      ...(scope === 'global' && { 'x-ratelimit-global': 'true' }),
    };
    return { headers: { ...headers, ...more }, refusal: { status: 429, body } };
  }
}

/** Lengths of an embed (discord.com/developers/docs/resources/message#embed-object-embed-limits). */
const EMBED = { title: 256, description: 4_096 } as const;

/** What Discord finds wrong with a body beside its content and components; null when it takes it. */
export function bodyProblem(method: string, path: string, body: unknown): Refusal | null {
  const problem = path.endsWith('/commands') && method === 'PUT' ? menuProblem(body) : messageProblem(body);
  return problem === null ? null : invalid(problem);
}

function messageProblem(body: unknown): string | null {
  const { data, ...rest } = body as { data?: object };
  const { embeds = [], nonce } = (data ?? rest) as { embeds?: readonly Embed[]; nonce?: unknown };
  // "Can be used to verify a message was sent (up to 25 characters)."
  if (String(nonce ?? '').length > 25) return 'nonce: Must be 25 or fewer in length.';
  if (embeds.length > 10) return 'embeds: Must be 10 or fewer in length.';
  const problem = embeds.map(embedProblem).find((found) => found !== null);
  if (problem !== undefined) return problem;
  const texts = embeds.flatMap(embedTexts).join('');
  return texts.length > 6_000 ? 'embeds: Embed size exceeds maximum size of 6000' : null;
}

interface Embed {
  readonly title?: string;
  readonly description?: string;
  readonly fields?: readonly { readonly name: string; readonly value: string }[];
  readonly footer?: { readonly text: string };
  readonly author?: { readonly name: string };
  readonly image?: { readonly url: string };
}

function embedProblem({
  title = '',
  description = '',
  fields = [],
  footer,
  author,
  image,
}: Embed): string | null {
  // "Source url of image (only supports http(s) and attachments)".
  if (image !== undefined && !/^(?:https?|attachment):\/\/\S{1,2000}$/.test(image.url))
    return 'image.url: Not a well formed URL.';
  if (title.length > EMBED.title) return 'title: Must be 256 or fewer in length.';
  if (description.length > EMBED.description) return 'description: Must be 4096 or fewer in length.';
  if (fields.length > 25) return 'fields: Must be 25 or fewer in length.';
  if (fields.some(({ name }) => name.length > 256)) return 'name: Must be 256 or fewer in length.';
  if (fields.some(({ value }) => value.length > 1_024)) return 'value: Must be 1024 or fewer in length.';
  if ((footer?.text ?? '').length > 2_048) return 'footer: Must be 2048 or fewer in length.';
  return (author?.name ?? '').length > 256 ? 'author: Must be 256 or fewer in length.' : null;
}

function embedTexts({ title = '', description = '', fields = [], footer, author }: Embed): string[] {
  const lines = fields.flatMap(({ name, value }) => [name, value]);
  return [title, description, footer?.text ?? '', author?.name ?? '', ...lines];
}

interface Command {
  readonly name: string;
  readonly description: string;
  readonly options?: readonly Command[];
}

/** "CHAT_INPUT command names … ^[-_'\p{L}\p{N}…]{1,32}$", descriptions "1-100 characters", "max of 25" options. */
function menuProblem(body: unknown): string | null {
  const commands = body as readonly Command[];
  if (commands.length > 100) return 'Maximum number of application commands reached (100).';
  const all = commands.flatMap((command) => [command, ...(command.options ?? [])]);
  if (all.some(({ name }) => !/^[-_'\p{Ll}\p{N}]{1,32}$/u.test(name))) return 'name: Command name is invalid';
  if (all.some(({ description }) => description.length < 1 || description.length > 100))
    return 'description: Must be between 1 and 100 in length.';
  return commands.some(({ options = [] }) => options.length > 25)
    ? 'options: Must be 25 or fewer in length.'
    : null;
}
