import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

// Imported first by what makes types with the compiler's interface, which TypeScript 7 does not have.
const { resolve } = createRequire(import.meta.url);
const typescript5 = pathToFileURL(resolve('@ts-morph/common/dist/typescript.js')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url: typescript5, shortCircuit: true } : next(specifier, context),
});
