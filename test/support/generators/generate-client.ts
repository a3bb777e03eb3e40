import './compiler-interface.ts';

const [, , input = '', output = ''] = process.argv;
const { createClient } = await import('@hey-api/openapi-ts');
await createClient({
  input,
  output: { path: output, importFileExtension: '.js' },
  logs: { level: 'silent', file: false },
});
