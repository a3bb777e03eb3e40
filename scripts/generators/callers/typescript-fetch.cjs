// Calls every operation with a client of openapi-generator's typescript-fetch. Arguments: address, file of the calls.
// Environment: TIPOFF_API_KEY.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const [, , basePath, file] = process.argv;
const client = require(join(process.cwd(), 'built/index.js'));
const configuration = new client.Configuration({ basePath, accessToken: process.env.TIPOFF_API_KEY });

const camel = (name) =>
  name
    .replaceAll(/[_-](\w)/g, (_all, letter) => letter.toUpperCase())
    .replace(/^\w/, (letter) => letter.toLowerCase());

async function main() {
  for (const { operation, tag, parameters, body, bodyModel } of JSON.parse(readFileSync(file, 'utf8'))) {
    const given = Object.fromEntries(
      parameters.filter(({ value }) => value !== null).map(({ name, value }) => [camel(name), value]),
    );
    if (bodyModel !== null) given[camel(bodyModel)] = client[`${bodyModel}FromJSON`](body);
    try {
      const parsed = await new client[`${tag}Api`](configuration)[operation](given);
      console.log(JSON.stringify({ operation, parsed: parsed ?? null }));
    } catch (error) {
      const answered = error.response === undefined ? '' : await error.response.text();
      console.log(JSON.stringify({ operation, error: `${error} ${answered}` }));
    }
  }
}
void main();
