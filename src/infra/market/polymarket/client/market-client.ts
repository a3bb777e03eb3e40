import type { z } from 'zod';
import type { EpochMs } from '../../../../core/base/time/duration.ts';
import {
  UPSTREAM_ROUTES,
  type UpstreamApi,
  type UpstreamRequest,
  type UpstreamResult,
} from '../../../../core/metrics.ts';
import type { ProxySettings } from '../../../outgoing/proxy.ts';
import type { SourceDeps } from '../../tapes/source-deps.ts';

export interface FeedTools extends SourceDeps {
  readonly client: MarketClient;
  readonly random: () => number;
}

/** What a request is for: each has a share of the budget of its own, so that none starves another. */
export type RequestPurpose = 'poll' | 'sweep' | 'facts' | 'markets' | 'resolutions';

export interface MarketRequest {
  readonly api: UpstreamApi;
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly purpose: RequestPurpose;
  /** An answer of another shape is a fault of the route. */
  readonly shape?: z.ZodType;
  /** The route documents a 404 for what it does not know. */
  readonly mayBeAbsent?: boolean;
}

export interface MarketAnswer {
  readonly body: unknown;
  /** How long it has been in a cache, in milliseconds; 0 when it comes from the market itself. */
  readonly ageMs: number;
  /** The moment whose state of the market it shows at the latest, in the market's time: when it was asked for, less its age. */
  readonly asOf: EpochMs;
}

/** Addresses of the market; URLs have no slash at the end. */
export interface MarketUrls {
  readonly dataUrl: string;
  readonly gammaUrl: string;
  readonly streamUrl: string;
  readonly clobUrl: string;
  /** Null without a node. A secret: its path may contain a key. */
  readonly rpcUrl: string | null;
  /** Exchanges on Polygon besides those that are known, in lower case. */
  readonly extraExchanges: readonly string[];
  readonly proxies?: ProxySettings;
}

export interface MarketClient {
  /**
   * One attempt: waits for its turn in the budget (and for a pause the market asked for), then for the answer, 10 s at
   * most. Rejects with an `UpstreamFault` for anything but a 200 with JSON, without a request while the route is
   * unavailable. But for descriptions of markets each request carries an unused parameter `_` that differs, so that no
   * cache answers it.
   */
  get(request: MarketRequest, signal: AbortSignal): Promise<MarketAnswer>;
}

/** The market did not answer as it documents. `status` is null without an answer; `code` is that of a connection's error, or empty. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';
  readonly outcome: Exclude<UpstreamResult, 'ok'>;
  readonly status: number | null;
  readonly code: string;

  constructor(
    message: string,
    { outcome, status, code = '' }: Pick<UpstreamFault, 'outcome' | 'status'> & { readonly code?: string },
  ) {
    super(message);
    this.outcome = outcome;
    this.status = status;
    this.code = code;
  }
}

export function garbled(message: string, status: number | null = 200): UpstreamFault {
  return new UpstreamFault(message, { outcome: 'garbled', status });
}

export async function getAs<Schema extends z.ZodType>(
  client: MarketClient,
  request: Omit<MarketRequest, 'shape'>,
  shape: Schema,
  signal: AbortSignal,
): Promise<Omit<MarketAnswer, 'body'> & { readonly data: z.infer<Schema> }> {
  const { body, ...answer } = await client.get({ ...request, shape }, signal);
  const { success, data } = shape.safeParse(body);
  if (!success) throw garbled(`${request.path}: unexpected shape of the answer`);
  return { ...answer, data };
}

/** Statuses that may concern one id of a request, or their number. Others concern the caller, the moment or the API. */
const OF_REQUEST: ReadonlySet<number | null> = new Set([400, 404, 409, 410, 413, 414, 422, 431, 500]);

function isOfRequest(error: unknown): error is UpstreamFault {
  return error instanceof UpstreamFault && OF_REQUEST.has(error.status);
}

/** A path that is not listed counts as `other`, so that the number of labels is bounded. */
export function upstreamRoute({ api, path }: Pick<MarketRequest, 'api' | 'path'>): UpstreamRequest {
  return { api, route: UPSTREAM_ROUTES[api].includes(path) ? path : 'other' };
}

/** Refusals in a row: four bad ids anywhere among 25 take 10. */
const MOST_REFUSALS = 12;

interface AskedInHalves<Answer> {
  readonly found: ReadonlyMap<string, Answer>;
  readonly refused: readonly string[];
  readonly refusal: UpstreamFault | null;
}

/** Requests ids together; a refused batch is halved. After 12 refusals in a row the rest is refused. */
export async function askInHalves<Answer>(
  ids: readonly string[],
  ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
): Promise<AskedInHalves<Answer>> {
  const found = new Map<string, Answer>();
  const refused: string[] = [];
  const batches = ids.length === 0 ? [] : [ids];
  let refusal: UpstreamFault | null = null;
  let refusals = 0;
  for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
    try {
      for (const [id, answer] of await ask(batch)) found.set(id, answer);
      refusals = 0;
    } catch (error) {
      if (!isOfRequest(error)) throw error;
      refusal ??= error;
      refusals += 1;
      const half = Math.ceil(batch.length / 2);
      if (batch.length === 1 || refusals >= MOST_REFUSALS) refused.push(...batch);
      else batches.push(batch.slice(half), batch.slice(0, half));
      if (refusals >= MOST_REFUSALS) refused.push(...batches.splice(0).flat());
    }
  }
  return { found, refused, refusal };
}

export function inBatches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
