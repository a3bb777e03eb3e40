import { problemOf, type StandInContent } from './discord-rules.ts';
import {
  CHANNEL,
  contentOf,
  invalid,
  type Open,
  ok,
  type StandInMessage,
  unknownMessage,
  wire,
} from './discord-wire.ts';

export class DiscordMessages {
  readonly all = new Map<string, StandInMessage>();
  readonly #waiting: { channelId: string; tell: (message: StandInMessage) => void }[] = [];
  #lastId = 1_400_000_000_000_000_000n;

  readonly snowflake = (): string => {
    this.#lastId += 1n;
    return String(this.#lastId);
  };

  readonly next = (channelId: string): Promise<StandInMessage> =>
    new Promise((tell) => this.#waiting.push({ channelId, tell }));

  delete(id: string) {
    return this.all.delete(id) ? { status: 204 } : unknownMessage();
  }

  editOriginal(exchange: Open | undefined, id: string, body: Record<string, unknown>) {
    if (exchange === undefined) return UNKNOWN_WEBHOOK;
    const target = id === '@original' ? exchange.originalId : id;
    const before = this.all.get(target ?? '');
    const { flags, on } = exchange;
    const fields = before ?? { channelId: on?.channelId ?? CHANNEL, flags, nonce: null, repliesTo: null };
    return this.#show({ ...fields, id: target ?? this.snowflake() }, contentOf(body, before), (message) => {
      exchange.originalId = message.id;
      exchange.settle({ kind: 'message', message });
    });
  }

  /** A message of its own, after the acknowledgement. */
  followUp(exchange: Open | undefined, body: Record<string, unknown>) {
    if (exchange === undefined || exchange.deferred === null) return UNKNOWN_WEBHOOK;
    const channelId = exchange.on?.channelId ?? CHANNEL;
    const fields = { channelId, flags: Number(body['flags'] ?? 0), nonce: null, repliesTo: null };
    return this.#show({ ...fields, id: this.snowflake() }, contentOf(body), (message) =>
      exchange.settle({ kind: 'message', message }),
    );
  }

  deleteOriginal(exchange: Open | undefined, id: string) {
    return this.delete(id === '@original' ? (exchange?.originalId ?? '') : id);
  }

  create(channelId: string, body: Record<string, unknown>) {
    const nonce = body['nonce'] === undefined ? null : String(body['nonce']);
    const same = [...this.all.values()].find((known) => nonce !== null && known.nonce === nonce);
    if (same !== undefined && body['enforce_nonce'] === true) return ok(wire(same));
    const reference = body['message_reference'] as { message_id: string } | undefined;
    const flags = Number(body['flags'] ?? 0);
    const fields = { channelId, flags, nonce, repliesTo: reference?.message_id ?? null };
    return this.#show({ ...fields, id: this.snowflake() }, contentOf(body), (message) => {
      for (const entry of this.#waiting.splice(0)) {
        if (entry.channelId === channelId) entry.tell(message);
        else this.#waiting.push(entry);
      }
    });
  }

  edit(id: string, body: Record<string, unknown>) {
    const before = this.all.get(id);
    return before === undefined ? unknownMessage() : this.#show(before, contentOf(body, before), () => {});
  }

  #show(
    fields: Omit<StandInMessage, keyof StandInContent>,
    content: StandInContent,
    then: (message: StandInMessage) => void,
  ) {
    const problem = problemOf(content);
    if (problem !== null) return invalid(problem);
    const message = { ...fields, ...content };
    this.all.set(message.id, message);
    then(message);
    return ok(wire(message));
  }
}

const UNKNOWN_WEBHOOK = { status: 404, body: { code: 10_015, message: 'Unknown Webhook' } };
