import { expect, test } from 'vitest';
import { demoOptions } from '../../src/cli/demo-options.ts';

test.each([
  [{}, {}, null, 8080],
  [{}, { PORT: '' }, null, 8080],
  [{}, { PORT: '9090' }, null, 9090],
  [{ port: '7070' }, { PORT: '9090' }, 7070, 9090],
  [{ port: '0' }, { PORT: '9090' }, 0, 9090],
])('the port of the demo is --port, else PORT if it is free: %j %j', (values, env, port, usualPort) => {
  expect(demoOptions(values, env)).toMatchObject({ port, usualPort });
});

test('a PORT that is not one is refused, and named', () => {
  expect(() => demoOptions({}, { PORT: 'x' })).toThrow('PORT: expected a number from 0 to 65535, got "x"');
  expect(() => demoOptions({ port: '' }, {})).toThrow('--port');
});
