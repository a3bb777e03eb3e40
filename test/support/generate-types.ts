import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

// openapi-typescript writes its types with the compiler's interface, which TypeScript 7 does not have.
const { resolve } = createRequire(import.meta.url);
const typescript5 = pathToFileURL(resolve('@ts-morph/common/dist/typescript.js')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url: typescript5, shortCircuit: true } : next(specifier, context),
});

const [, , address = ''] = process.argv;
const { astToString, default: openapiTs } = await import('openapi-typescript');
process.stdout.write(astToString(await openapiTs(new URL(address))));
