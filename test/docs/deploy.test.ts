import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientOf } from '../../src/http/hooks/client-address.ts';
import { MetricsExport } from '../../src/infra/telemetry/metrics.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const RULES = read('deploy/prometheus/tipoff-rules.yml');

async function exportedNames(): Promise<ReadonlySet<string>> {
  const { watchBots, watchService, onAnswer, render } = new MetricsExport();
  watchBots({ areRunning: () => ({ telegram: true }), missing: () => ({ telegram: 0 }) });
  const state = { isDatabaseUp: async () => true, lastAlertAgeMs: async () => 1, recordAgeMs: async () => 1 };
  watchService({ version: '1', roles: 'api', ...state });
  onAnswer('/api/v1/me', 200, 1);
  const samples = (await render()).matchAll(/^# TYPE (\S+) (\S+)$/gm);
  return new Set(
    [...samples].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
}

const namesIn = (text: string) => [...new Set(text.match(/\b(?:tipoff|nodejs|process)_[a-z0-9_]+/g))];

describe('deploy', () => {
  test('every metric of the alert rules and of the dashboard is exported', async () => {
    const exported = await exportedNames();
    const dashboard = JSON.parse(read('deploy/grafana/tipoff.json')) as {
      panels: readonly { targets?: readonly { expr: string }[] }[];
    };
    const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(20);
    const used = [
      ...namesIn(expressions.join('\n')),
      ...namesIn(RULES.replaceAll(/(summary|runbook): .*/g, '')),
    ];
    expect(used.length).toBeGreaterThan(30);
    expect(used.filter((name) => !exported.has(name))).toEqual([]);
  });

  test('every metric of the service is named by an alert rule, the dashboard or a document', async () => {
    const pages = readdirSync(join(import.meta.dirname, '../../docs')).filter((file) => file.endsWith('.md'));
    const texts = ['deploy/grafana/tipoff.json', ...pages.map((page) => `docs/${page}`)].map(read);
    const named = namesIn([RULES, ...texts].join('\n'));
    const exported = [...(await exportedNames())].filter((name) => name.startsWith('tipoff_'));
    const unnamed = exported
      .map((name) => name.replace(/_(bucket|count|sum)$/, ''))
      .filter((metric) => !named.some((name) => name.startsWith(metric)));
    expect(exported.length).toBeGreaterThan(30);
    expect(unnamed).toEqual([]);
  });

  test('every alert has a section of its name in docs/operation.md, and every section an alert', () => {
    const alerts = [...RULES.matchAll(/alert: (\w+)[\s\S]*?runbook: (\S+)/g)];
    expect(alerts.length).toBeGreaterThan(10);
    for (const [, name = '', runbook] of alerts)
      expect(runbook).toBe(`docs/operation.md#${name.toLowerCase()}`);
    const sections = [...read('docs/operation.md').matchAll(/^### (Tipoff\w+)$/gm)].map(([, name]) => name);
    expect(sections.toSorted()).toEqual(alerts.map(([, name]) => name).toSorted());
  });

  test('the proxies send HSTS for a year, with TLS only, and for no other host', () => {
    const servers = read('deploy/nginx.conf').match(/^server \{[\s\S]*?^\}/gm) ?? [];
    const header = 'add_header Strict-Transport-Security "max-age=31536000" always;';
    expect(servers.map((server) => [server.includes('listen 443 ssl'), server.includes(header)])).toEqual([
      [false, false],
      [true, true],
    ]);
    // A location with headers of its own does not inherit this one.
    expect(read('deploy/nginx.conf').match(/add_header/g)?.length).toBe(2);
    expect(read('deploy/Caddyfile')).toMatch(/^\theader Strict-Transport-Security max-age=31536000$/m);
  });

  test('nginx counts the connections of a client as the service counts its calls: an IPv6 address by its /64', () => {
    const nginx = read('deploy/nginx.conf');
    expect(nginx).toContain('limit_conn_zone $tipoff_client ');
    const [, map = ''] = /map \$remote_addr \$tipoff_client \{([\s\S]*?)\n\}/.exec(nginx) ?? [];
    const rules = [...map.matchAll(/"~(.+)" +\$1;/g)].map(([, rule = '']) => new RegExp(rule));
    const keyOf = (ip: string) => rules.flatMap((rule) => rule.exec(ip)?.[1] ?? [])[0] ?? ip;
    // As nginx writes them.
    const addresses = [
      ...['198.51.100.7', '::ffff:198.51.100.7', '203.0.113.9', '2001:db8:77:2::1', '2001:db8:77:2:1:2:3:4'],
      ...['2001:db8:77::1', '2001:db8:77:0:1:2:3:4', '2001:db8:77:1::1', '2001:db8::1', '2001:db8::1:2:3:4'],
      ...['2001:db8:0:2::1', '2001:db8:0:2:1:2:3:4', '2001:db9::1', '::1'],
    ];
    for (const one of addresses)
      for (const other of addresses)
        expect([one, other, keyOf(one) === keyOf(other)]).toEqual([
          one,
          other,
          clientOf(one) === clientOf(other),
        ]);
  });

  test('the unit bounds memory and processes', () => {
    expect(read('deploy/tipoff.service')).toMatch(/^MemoryMax=\d+M\nTasksMax=\d+$/m);
  });

  test('no log of the proxies has the query of a request, which may have a key', () => {
    const nginx = read('deploy/nginx.conf').replaceAll(/#.*/g, '');
    const [format = ''] = /log_format tipoff [^;]+;/.exec(nginx) ?? [];
    expect(format).not.toMatch(
      /\$(?:request|request_uri|args|query_string|http_referer|http_authorization)\b/,
    );
    const servers = nginx.match(/^server \{[\s\S]*?^\}/gm) ?? [];
    expect(servers).toHaveLength(2);
    for (const server of servers) {
      expect(server).toMatch(/access_log \S+ tipoff;/);
      expect(server).toMatch(/error_log \S+ emerg;/);
    }
    const caddy = read('deploy/Caddyfile').replaceAll(/#.*/g, '');
    expect(caddy.match(/\blog \{/g)).toHaveLength(2);
    expect(caddy.match(/request>uri query \{\s+delete api_key/g)).toHaveLength(2);
  });
});
