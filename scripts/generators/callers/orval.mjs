// Calls every operation with a client of orval. Arguments: address, file of the calls. Environment: TIPOFF_API_KEY.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , address, file] = process.argv;
const api = await import(pathToFileURL(join(process.cwd(), 'built/api.js')).href);
const { fetch } = globalThis;
// Its functions ask paths, for a page of the same host.
globalThis.fetch = (path, init) => fetch(new URL(path, address), init);
const options = { headers: { authorization: `Bearer ${process.env.TIPOFF_API_KEY}` } };

for (const { operation, parameters, body } of JSON.parse(readFileSync(file, 'utf8'))) {
  const given = (part) => parameters.filter((one) => one.in === part);
  const query = given('query').filter(({ value }) => value !== null);
  const args = [
    ...given('path').map(({ value }) => value),
    ...(body === undefined ? [] : [body]),
    ...(given('query').length === 0
      ? []
      : [Object.fromEntries(query.map(({ name, value }) => [name, value]))]),
  ];
  try {
    const { status, data } = await api[operation](...args, options);
    if (status >= 400) throw new Error(JSON.stringify(data));
    console.log(JSON.stringify({ operation, parsed: status === 204 ? null : data }));
  } catch (error) {
    console.log(JSON.stringify({ operation, error: String(error) }));
  }
}
