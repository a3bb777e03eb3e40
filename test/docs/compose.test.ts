import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

describe('compose.yaml', () => {
  const compose = read('compose.yaml');

  test('passes the settings of an optional .env, which git ignores', () => {
    expect(compose).toContain('    env_file:\n      - path: .env\n        required: false\n');
    expect(read('.gitignore').split('\n')).toContain('.env');
  });

  test('sets itself what its ports, health check and database depend on', () => {
    const [, environment = ''] = /^ {4}environment:\n((?: {6}.+\n)+)/m.exec(compose) ?? [];
    const names = environment
      .trim()
      .split('\n')
      .map((line) => line.trim().split(':')[0]);
    expect(names).toEqual(['HOST', 'PORT', 'DATABASE_URL', 'DATABASE_PASSWORD', 'MARKET_SOURCE']);
    expect(compose).toContain(`"127.0.0.1:8080:${/PORT: (\d+)/.exec(environment)?.[1]}"`);
  });

  test('publishes no port but to this machine, and gives no container a right or a root to write', () => {
    const services = compose.split(/^ {2}(?=\w+:$)/m).slice(1, 3);
    for (const service of services)
      for (const line of ['    cap_drop:\n      - ALL\n', '      - no-new-privileges:true\n'])
        expect(service).toContain(line);
    for (const service of services) {
      expect(service).toContain('    read_only: true\n    tmpfs:\n      - /tmp\n');
      expect(service).toMatch(/^ {4}mem_limit: \d+[mg]\n {4}pids_limit: \d+$/m);
    }
    expect(compose.match(/"[\d.:]+:\d+"/g)).toEqual(['"127.0.0.1:8080:8080"']);
    expect(compose.match(/image: .*/g)).toEqual([expect.stringMatching(/@sha256:[0-9a-f]{64}$/)]);
  });

  test('names a database of which the password is accepted, whatever characters it has', () => {
    const [, DATABASE_URL = ''] = /DATABASE_URL: (.+)/.exec(compose) ?? [];
    const parsed = parseConfig({ DATABASE_URL, DATABASE_PASSWORD: 'p@ss:w/rd?%' });
    expect(parsed).toMatchObject({
      config: { databaseUrl: 'mongodb://tipoff:p%40ss%3Aw%2Frd%3F%25@mongo:27017/tipoff?authSource=admin' },
    });
  });
});
