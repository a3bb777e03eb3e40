import './compiler-interface.ts';

const [, , address = ''] = process.argv;
const { astToString, default: openapiTs } = await import('openapi-typescript');
process.stdout.write(astToString(await openapiTs(new URL(address))));
