// Calls every operation with a client of @hey-api/openapi-ts. Arguments: address, file of the calls. Environment: TIPOFF_API_KEY.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , baseUrl, file] = process.argv;
const load = (name) => import(pathToFileURL(join(process.cwd(), 'built', name)).href);
const { client } = await load('client.gen.js');
const api = await load('sdk.gen.js');
client.setConfig({ baseUrl, auth: process.env.TIPOFF_API_KEY });

for (const { operation, parameters, body } of JSON.parse(readFileSync(file, 'utf8'))) {
  const given = (part) =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === part && one.value !== null)
        .map(({ name, value }) => [name, value]),
    );
  try {
    // By itself it reads every unknown type of `application/` as a Blob.
    const options = { body, ...(operation === 'getAtomFeed' && { parseAs: 'text' }) };
    const { data, error } = await api[operation]({ path: given('path'), query: given('query'), ...options });
    if (error !== undefined) throw new Error(JSON.stringify(error));
    console.log(JSON.stringify({ operation, parsed: data ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ operation, error: String(error) }));
  }
}
