// The examples for hosts and the page for operators use settings, metrics, paths and jobs that the service has.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readBucketSettings } from '../src/bucket-settings.ts';
import * as JOB_KINDS from '../src/control/job-kinds.ts';
import { APPLY_JOBS } from '../src/definitions/apply/definition-job.ts';
import { INDEX_JOBS } from '../src/definitions/apply/index-builds.ts';
import { LEFTOVER_JOBS } from '../src/definitions/apply/leftovers.ts';
import { ALIVE, READY } from '../src/http/routing.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (...path: readonly string[]) => readFileSync(join(ROOT, ...path), 'utf8');
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
  expect(container.readinessProbe.httpGet.path).toBe(READY);
  expect(container.livenessProbe.httpGet.path).toBe(ALIVE);
  expect(example('Caddyfile')).toContain(`health_uri ${READY}`);
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
  const kinds = [...Object.values(JOB_KINDS), APPLY_JOBS, INDEX_JOBS, LEFTOVER_JOBS];
  expect(kinds.length).toBeGreaterThan(8);
  for (const kind of kinds) expect(settings, kind).toMatch(new RegExp(`^\\|.*\`${kind}\``, 'm'));
});

test('every alert is about a metric that operations.md lists', () => {
  const { groups } = parse(example('alerts.yaml'));
  const rules = groups.flatMap(({ rules }: { rules: readonly { expr: string }[] }) => rules);
  expect(rules.length).toBeGreaterThan(6);
  for (const { expr } of rules) {
    const metrics = [...expr.matchAll(/\b(?:workspace_records|nodejs|process)_\w+/g)].map(
      ([name]) => name.replace(/_bucket$/, ''),
    );
    for (const metric of metrics) expect(settings, expr).toContain(`\`${metric}\``);
  }
});

test('the README names every file, and the checklist those that it needs', () => {
  const names = readdirSync(join(ROOT, 'deploy')).filter((name) => name !== 'README.md');
  for (const name of names) expect(example('README.md'), name).toContain(`\`${name}\``);
});
