import { isDeepStrictEqual } from 'node:util';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { alertJson } from '../../src/http/views/alert-view.ts';
import { contentOf } from './chaos-tape.ts';
import type { SentAlert } from './consumers.ts';
import type { Stage } from './stage.ts';

export function problemsOf(stage: Stage, ledger: readonly Alert[], target: number): string[] {
  return [
    ...problemsOfLedger(stage, ledger, target),
    ...stage.streams.flatMap(({ received }, n) =>
      problemsOfSent(`stream ${n + 1}`, received, { ledger, isOrdered: true }),
    ),
    ...problemsOfSent('webhook', stage.webhook.received, { ledger, isOrdered: false }),
    ...repeated(
      'webhook ids',
      stage.webhook.received.map(({ webhookId }) => webhookId),
    ),
  ];
}

function problemsOfLedger({ options }: Stage, ledger: readonly Alert[], target: number): string[] {
  const expected = options.expected.slice(0, ledger.length);
  const unlike = ledger.filter((alert, index) => !isDeepStrictEqual(contentOf(alert), expected[index]));
  const isDense = ledger.every(({ id }, index) => id === index + 1);
  const isMonotone = ledger.every(({ createdAt }, index) => createdAt >= (ledger[index - 1]?.createdAt ?? 0));
  return [
    ...(ledger.length < target ? [`${target - ledger.length} alerts lost`] : []),
    ...(isDense ? [] : ['ids are not dense']),
    ...(isMonotone ? [] : ['created_at decreases']),
    ...repeated(
      'keys',
      ledger.map(({ key }) => key),
    ),
    ...(unlike.length === 0
      ? []
      : [`${unlike.length} alerts unlike the undisturbed run, from ${unlike[0]?.id}`]),
  ];
}

interface Against {
  readonly ledger: readonly Alert[];
  /** Each id of the stream is the one before plus one. */
  readonly isOrdered: boolean;
}

function problemsOfSent(name: string, sent: readonly SentAlert[], { ledger, isOrdered }: Against): string[] {
  const isDense = sent.every(({ id }, index) => id === index + 1);
  // The ledger was read before the last ones came.
  const unlike = sent.filter(({ id, body }) => {
    const alert = ledger[id - 1];
    return alert !== undefined && !isDeepStrictEqual(body, JSON.parse(alertJson(alert)));
  });
  return [
    ...(isOrdered && !isDense ? [`${name}: ids are not each once and in order`] : []),
    ...repeated(
      `ids of the ${name}`,
      sent.map(({ id }) => id),
    ),
    ...(unlike.length === 0 ? [] : [`${name}: ${unlike.length} alerts unlike the ledger`]),
  ];
}

function repeated(what: string, values: readonly unknown[]): string[] {
  const count = values.length - new Set(values).size;
  return count === 0 ? [] : [`${count} ${what} twice`];
}
