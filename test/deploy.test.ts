// The examples for hosts and the page for operators use settings, metrics, paths and jobs that the service has.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readBucketSettings } from '../src/bucket-settings.ts';
import { readConfig } from '../src/config.ts';
import * as JOB_KINDS from '../src/control/jobs/job-kinds.ts';
import { APPLY_JOBS } from '../src/definitions/apply/definition-job.ts';
import { LEFTOVER_JOBS } from '../src/definitions/apply/leftovers.ts';
import { INDEX_JOBS } from '../src/definitions/apply/prepare/index-builds.ts';
import { ALIVE, READY } from '../src/http/route/routing.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (...path: readonly string[]) => readFileSync(join(ROOT, ...path), 'utf8');
/** Seconds from the end of the drain to the forced end of a process (src/cli/commands/start.ts). */
const FORCED_END = 10;
const settings = read('docs', 'operations.md');
const example = (name: string) => read('deploy', name);

test('every setting is a setting of the service', () => {
  const units = example('workspace-records.service') + example('backup.service');
  const named = [...units.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((setting) => setting.split('=')[0] ?? ''),
  );
  const [deployment] = parseAllDocuments(example('kubernetes.yaml')).map((one) => one.toJS());
  const [container] = deployment.spec.template.spec.containers;
  named.push(...container.env.map(({ name }: { name: string }) => name));
  expect(named.length).toBeGreaterThan(8);
  for (const name of named) expect(settings, name).toMatch(new RegExp(`^\\|.*\`${name}\``, 'm'));
});

test('the probes of Kubernetes use paths and ports that there are', () => {
  const [deployment, service] = parseAllDocuments(example('kubernetes.yaml')).map((one) =>
    one.toJS(),
  );
  const { spec, metadata } = deployment.spec.template;
  const [{ startupProbe, readinessProbe, livenessProbe, ports, env }] = spec.containers;
  const paths = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path);
  expect(paths).toEqual([ALIVE, READY, ALIVE]);
  const portOf = (name: string) =>
    ports.find((one: { name: string }) => one.name === name)?.containerPort;
  for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
    expect(portOf(httpGet.port)).toBe(readConfig({}).port);
  }
  expect(portOf(service.spec.ports[0].targetPort)).toBe(readConfig({}).port);
  expect(service.spec.selector).toEqual(metadata.labels);
  expect(deployment.spec.selector.matchLabels).toEqual(metadata.labels);
  const setting = (name: string) => env.find((one: { name: string }) => one.name === name)?.value;
  const metrics = metadata.annotations['prometheus.io/port'];
  expect([String(portOf('metrics')), setting('METRICS_PORT')]).toEqual([metrics, metrics]);
  // The load of the demo took half a minute on a slow machine, and a migration may take longer.
  expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThan(300);
});

test('supervisors wait for the drain and for the requests in flight', () => {
  const [deployment] = parseAllDocuments(example('kubernetes.yaml')).map((one) => one.toJS());
  const { containers, terminationGracePeriodSeconds } = deployment.spec.template.spec;
  const { env } = containers[0];
  const drain = env.find(({ name }: { name: string }) => name === 'DRAIN_SECONDS').value;
  expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(drain) + FORCED_END);
  const usual = readConfig({}).drainSeconds + FORCED_END;
  const [, unit] = /^TimeoutStopSec=(\d+)$/m.exec(example('workspace-records.service')) ?? [];
  expect(Number(unit)).toBeGreaterThanOrEqual(usual);
  const { stop_grace_period } = parse(read('compose.yaml')).services.service;
  expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThanOrEqual(usual);
});

test('proxies close idle connections before the service does at its end', () => {
  const { drainSeconds } = readConfig({});
  const times = [
    /^ {2}keepalive_timeout (\d+)s;$/m.exec(example('nginx.conf')),
    /^\s+keepalive (\d+)s$/m.exec(example('Caddyfile')),
    /pool-purge-delay (\d+)s$/m.exec(example('haproxy.cfg')),
  ].map((found) => Number(found?.[1]));
  for (const seconds of times) expect(seconds).toBeLessThan(drainSeconds);
  expect(example('haproxy.cfg')).toContain(`uri ${READY} `);
  expect(example('apache.conf').match(/disablereuse=on/g)).toHaveLength(2);
});

test('the processes of Kubernetes share their files', () => {
  const [deployment] = parseAllDocuments(example('kubernetes.yaml')).map((one) => one.toJS());
  const [{ env }] = deployment.spec.template.spec.containers;
  const given = env.filter(({ name }: { name: string }) => name.startsWith('FILES_S3_'));
  const settings = Object.fromEntries(
    given.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
  const secrets = [...example('kubernetes.yaml').matchAll(/--from-literal=(\w+)=/g)];
  for (const [, name = ''] of secrets) settings[name] = 'secret';
  expect(readBucketSettings(settings)).toMatchObject({ bucket: 'your-bucket' });
});

test('operations.md lists every kind of job', () => {
  const ofPeople = new Set(Object.values(JOB_KINDS).flat());
  const kinds = [...ofPeople, APPLY_JOBS, INDEX_JOBS, LEFTOVER_JOBS];
  expect(kinds.length).toBeGreaterThan(8);
  for (const kind of kinds) expect(settings, kind).toMatch(new RegExp(`^\\|.*\`${kind}\``, 'm'));
});

test('every alert is about a metric that operations.md lists and the dashboard shows', () => {
  const dashboard = read('docs', 'grafana-dashboard.json');
  const { groups } = parse(example('alerts.yaml'));
  const rules = groups.flatMap(({ rules }: { rules: readonly { expr: string }[] }) => rules);
  expect(rules.length).toBeGreaterThan(6);
  for (const { expr } of rules) {
    const metrics = [...expr.matchAll(/\b(?:workspace_records|nodejs|process)_\w+/g)].map(
      ([name]) => name.replace(/_bucket$/, ''),
    );
    for (const metric of metrics) {
      expect(settings, expr).toContain(`\`${metric}\``);
      expect(dashboard, expr).toContain(metric);
    }
  }
});

test('the README names every file, and the checklist those that it needs', () => {
  const names = readdirSync(join(ROOT, 'deploy')).filter((name) => name !== 'README.md');
  for (const name of names) expect(example('README.md'), name).toContain(`\`${name}\``);
});
