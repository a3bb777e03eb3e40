// What a user of the client does. Prints what happened as JSON.
import { createTipoff, verifyWebhook } from 'tipoff-client';

const { url, apiKey, delivery } = JSON.parse(process.argv[2]);
const { headers, body, secret } = delivery;
const tipoff = createTipoff({ url, apiKey });

async function idsOf(items) {
  const ids = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

async function follow() {
  const ids = [];
  for await (const { id } of tipoff.follow({ sinceId: 0 })) {
    ids.push(id);
    if (id === 130) return ids;
  }
}

const found = {
  alerts: await idsOf(tipoff.iterAlerts({ page_size: 50 })),
  followed: await follow(),
  refused: await tipoff.getAlert({ id: 999_999 }).catch(({ code }) => code),
  verified: (await verifyWebhook(body, headers, secret)).id,
  isForgeryRefused: await verifyWebhook(`${body} `, headers, secret).then(
    () => false,
    () => true,
  ),
};
console.log(JSON.stringify(found));
