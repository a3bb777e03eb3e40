import { z } from 'zod';
import { oneLine } from '../../core/base/text/formats.ts';
import { SECOND_MS } from '../../core/base/time/duration.ts';
import { UserError } from '../../core/base/user-error.ts';
import { WEBHOOK_EVENTS } from '../../core/delivery/webhooks/webhook.ts';
import { PROGRAM } from '../../infra/process/program.ts';

/** A test takes 5 seconds if its receiver does not answer. */
const TIMEOUT_MS = 10 * SECOND_MS;

/** What another program answers must not steer the terminal. */
const line = z.string().transform(oneLine);
const registeredSchema = z.object({ id: z.string().regex(/^\w[\w-]*$/), secret: z.string() });
const testSchema = z.object({ status: z.string(), error: line.nullable() });
const refusalSchema = z.object({ detail: line });

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The webhooks of one key at a service on this computer. Its refusals are `UserError`s that say what to do. */
export class LocalService {
  readonly url: string;
  readonly #key: string;

  constructor({ url, key }: { readonly url: string; readonly key: string }) {
    this.url = url;
    this.#key = key;
  }

  async register(target: string): Promise<z.infer<typeof registeredSchema>> {
    const body = { url: target, events: WEBHOOK_EVENTS.join(',') };
    const answer = await this.#call('POST', '', body).catch((error: Error) => {
      throw new UserError(`${error.message} Start one in another terminal: ${PROGRAM} demo`);
    });
    const registered = registeredSchema.safeParse(answer.body);
    if (answer.status === 201 && registered.success) return registered.data;
    throw new UserError(this.#refusal(answer));
  }

  /** Requests a sample alert. Why it did not arrive; null if it did. */
  async test(id: string): Promise<string | null> {
    const answer = await this.#call('POST', `/${id}/test`);
    const tested = testSchema.safeParse(answer.body);
    if (answer.status !== 200 || !tested.success) return this.#refusal(answer);
    return tested.data.status === 'delivered'
      ? null
      : `The service could not deliver a test (${tested.data.error}): it must run on this computer, outside a container.`;
  }

  /** Throws when the service does not remove it. */
  async remove(id: string): Promise<void> {
    const answer = await this.#call('DELETE', `/${id}`);
    if (answer.status !== 204 && answer.status !== 404) throw new UserError(this.#refusal(answer));
  }

  #refusal({ status, body }: Answer): string {
    const detail = refusalSchema.safeParse(body).data?.detail ?? `HTTP ${status}`;
    if (status === 401)
      return `The service at ${this.url} refuses the key: ${detail} Get another: ${PROGRAM} keys issue --tier enterprise --name Webhooks`;
    if (status === 403) return `${detail} Get one: ${PROGRAM} keys issue --tier enterprise --name Webhooks`;
    if (status === 422)
      return `The service at ${this.url} sends webhooks to public https addresses only. For development start it with WEBHOOK_ALLOW_PRIVATE=true; ${PROGRAM} demo sets it.`;
    return `The service at ${this.url} answered: ${detail}`;
  }

  async #call(method: string, path: string, body?: object): Promise<Answer> {
    try {
      const response = await fetch(`${this.url}/api/v1/webhooks${path}`, {
        method,
        headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: jsonOf(text) };
    } catch (error) {
      const { cause, message } = error as Error;
      const reason = cause instanceof Error && 'code' in cause ? cause.code : message;
      throw new UserError(`No service answers at ${this.url} (${reason}).`);
    }
  }
}

/** Null for what is not JSON: the service of another program. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
