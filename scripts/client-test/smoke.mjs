// What a user of the client does, in any runtime that has modules. Tells what happened as plain data.
import { createTipoff, verifyWebhook } from 'tipoff-client';

export async function smoke({ url, unstableUrl, closedUrl, apiKey, delivery }) {
  const tipoff = createTipoff({ url, apiKey });
  const [market] = (await tipoff.listOutcomes()).outcomes;
  const { headers, body, secret } = delivery;
  return {
    alerts: await idsOf(tipoff.iterAlerts({ page_size: 50 })),
    outcomes: await idsOf(tipoff.iterOutcomes({ limit: 1 })),
    alertsOfOutcome: (await idsOf(tipoff.iterOutcomeAlerts({ number: market.number, limit: 1 }))).length,
    exits: await idsOf(tipoff.iterExits()),
    logEntries: await idsOf(tipoff.iterLogEntries({ limit: 1 })),
    deliveries: await idsOf(tipoff.iterDeliveries({ webhook_id: 'wh_archive', limit: 1 })),
    followed: await follow(createTipoff({ url: unstableUrl, apiKey })),
    refused: await errorOf(tipoff.getAlert({ id: 999_999 })),
    lost: await errorOf(createTipoff({ url: closedUrl, retries: 0 }).getStats()),
    verified: (await verifyWebhook(body, headers, secret)).id,
    forged: await errorOf(verifyWebhook(`${body} `, headers, secret)),
    parsed: await errorOf(verifyWebhook(JSON.parse(body), headers, secret)),
  };
}

async function idsOf(items) {
  const ids = [];
  for await (const { id, number, sequence } of items) ids.push(id ?? number ?? sequence);
  return ids;
}

/** Until everything of the archive has come. The address refuses the first connection and cuts the second one. */
async function follow(tipoff) {
  const found = { alert: [], outcome: [], exit: [], pauses: [] };
  const onStatus = ({ state, reason }) => {
    if (state === 'waiting') found.pauses.push(reason);
  };
  const since = { sinceId: 0, sinceOutcome: 0, sinceExit: 0 };
  for await (const { type, data } of tipoff.follow({ ...since, outcomes: true, exits: true, onStatus })) {
    found[type].push(data.id ?? data.number);
    if (found.alert.at(-1) === 130 && found.outcome.length === 2 && found.exit.length === 1) break;
  }
  return found;
}

async function errorOf(promise) {
  const error = await promise.then(
    () => null,
    (thrown) => thrown,
  );
  const { name, code = null, isRepeatable = null, cause } = error;
  return [name, code, isRepeatable, cause !== undefined];
}

const [given] = globalThis.process?.argv.slice(2) ?? [];
if (given !== undefined) console.log(JSON.stringify(await smoke(JSON.parse(given))));
