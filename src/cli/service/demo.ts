// The demo workspace: the first start on an empty database fills it with a real data set through the
// same import that `import` runs. A start that finds it half loaded continues.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endingOf, type Lease, openLease, whileHeld } from '../../control/jobs/job-lease.ts';
import { appendJob } from '../../control/jobs/jobs.ts';
import { loadApiKeysOf } from '../../control/people/api-keys.ts';
import { loadMemberByEmail } from '../../control/people/people.ts';
import { OPERATOR } from '../../control/workspace/administrative-audit.ts';
import {
  findWorkspace,
  listWorkspaces,
  type WorkspaceRow,
} from '../../control/workspace/workspaces.ts';
import { readDefinitionFile } from '../../definitions/document/definition-file.ts';
import { operatorError } from '../../errors.ts';
import { makeSignInLink } from '../../flow/people/make-sign-in-link.ts';
import type { ProgressOutput } from '../../import/progress.ts';
import { rejectionLine } from '../../import/reject-file.ts';
import { DEFAULT_SCOPES } from '../../model/rights/access.ts';
import { packagePath } from '../../package-folder.ts';
import type { Database } from '../../postgres/db.ts';
import { createFirstKey, type KeyRequest } from '../commands/keys.ts';
import type { Connected } from '../connect.ts';
import { writeDated } from './dated-file.ts';

/** Describes the demo to the person at the terminal, once the service listens at `address`. */
export type AnnounceDemo = (address: string) => void | Promise<void>;

/** Registers a function that is called when the process is told to stop, before its database is closed. */
export type AtEnd = (stop: () => void | Promise<void>) => void;

const SLUG = 'demo';
const ADMINISTRATOR = 'admin@demo.example';
const KIND = 'demo';
/**
 * A start that finds a load which was killed waits this long; a load that renews too late continues as long as no
 * other process has taken it.
 */
const LEASE_MS = 3000;
const LOOK_EVERY_MS = 100;
const FOLDER = packagePath('examples', 'crm-sales');

/**
 * The files in the order of import: deals refer to products and companies, projects to deals, comments and links to all
 * of them.
 */
const FILES = [
  { mapping: 'products', file: 'products.csv' },
  { mapping: 'companies', file: 'accounts.csv' },
  { mapping: 'deals', file: 'sales_pipeline.csv' },
  { mapping: 'onboarding_items', file: 'onboarding_items.csv' },
  { mapping: 'onboarding_comments', file: 'onboarding_comments.csv' },
  ...[
    'contacts',
    'open_deals',
    'meetings',
    'events',
    'tasks',
    'deal_comments',
    'task_comments',
    'deal_contacts',
    'meeting_companies',
    'meeting_contacts',
    'meeting_deals',
    'event_contacts',
  ].map((name) => ({ mapping: name, file: `${name}.csv` })),
];

/**
 * Load the demo when there is no workspace at all, or when an earlier load was cut off. The load is a job
 * (D198): of several processes that start one does it and the others wait; one that comes after a killed
 * process continues its work. All rows are matched with existing records.
 */
export async function loadDemo(
  { db, config }: Pick<Connected, 'db' | 'config'>,
  output: ProgressOutput = process.stderr,
  atEnd: AtEnd = () => undefined,
): Promise<AnnounceDemo> {
  if (!config.demo) return () => undefined;
  const workspaces = await listWorkspaces(db);
  const demo = workspaces.find(({ slug }) => slug === SLUG);
  const announce = (workspace: WorkspaceRow) => (address: string) =>
    announceDemo({ db, config, output }, workspace, address);
  if (demo?.state === 'ready') return announce(demo);
  if (demo === undefined && workspaces.length > 0) return () => undefined;
  output.write('Loading the demo workspace (DEMO=off starts without it).\n');
  const workspace = demo ?? (await createDemo(db));
  await appendJob(db, { kind: KIND, workspace_id: workspace.id, single: true });
  while ((await findWorkspace(db, SLUG))?.state === 'loading') {
    const lease = await openLease(db, { kinds: [KIND], lease: LEASE_MS });
    if (lease === undefined) {
      await sleep(LOOK_EVERY_MS);
      continue;
    }
    const load = loadUnderLease(db, lease, workspace, output);
    atEnd(async () => {
      lease.end('stopping');
      await load.catch(() => undefined);
    });
    await load;
  }
  return announce(workspace);
}

/** Answers too when another process has taken the load over. */
async function loadUnderLease(
  db: Database,
  lease: Lease,
  workspace: WorkspaceRow,
  output: ProgressOutput,
): Promise<void> {
  try {
    await loadFiles(whileHeld(db, lease.signal), lease, workspace, output);
    // The workspace is ready: nobody queries the job.
    await lease.finish().catch(() => undefined);
  } catch (error) {
    await lease.fail(error, 0).catch(() => undefined);
    if (endingOf(lease.signal) !== 'lost') throw error;
  }
}

async function loadFiles(
  db: Database,
  { job, report }: Lease,
  workspace: WorkspaceRow,
  output: ProgressOutput,
): Promise<void> {
  const loaded = [...((job.progress.loaded ?? []) as readonly string[])];
  for (const { mapping, file } of FILES) {
    if (loaded.includes(file)) continue;
    await importDemoFile(db, workspace, { mapping, file }, output);
    loaded.push(file);
    await report({ loaded });
  }
  const { makeDemoViews } = await import('./demo-views.ts');
  await makeDemoViews(db, workspace, ADMINISTRATOR);
  const { finishLoading } = await import('../../workspaces/create-workspace.ts');
  await finishLoading(db, workspace, (tx) => report({ loaded }, tx));
}

interface Announcing extends Pick<Connected, 'db' | 'config'> {
  readonly output: ProgressOutput;
}

/** The first key and a link, once: a start that was cut off before it printed them leaves them to the next one. */
async function announceDemo(
  { db, config, output }: Announcing,
  workspace: WorkspaceRow,
  address: string,
): Promise<void> {
  const hasKey = (await loadApiKeysOf(db, workspace.id)).length > 0;
  const secret = hasKey ? undefined : await createFirstKey(db, firstKey(workspace));
  if (secret === undefined) {
    output.write(ANOTHER_KEY);
    return;
  }
  const link = config.application ? await administratorLink(db, workspace, address) : undefined;
  output.write(welcome(address, secret, link));
}

function firstKey(workspace: WorkspaceRow): KeyRequest {
  const settings = { requests_per_minute: null, expires: null, type: undefined };
  return { workspace, email: ADMINISTRATOR, name: 'Demo', scopes: DEFAULT_SCOPES, ...settings };
}

/** Another process that starts at the same time may be faster. */
async function createDemo(db: Database): Promise<WorkspaceRow> {
  const document = readDefinitionFile(join(FOLDER, 'definition.yaml'));
  const { createWorkspace } = await import('../../workspaces/create-workspace.ts');
  try {
    return await createWorkspace(db, { slug: SLUG, document, state: 'loading' });
  } catch (error) {
    const workspace = await findWorkspace(db, SLUG);
    if (workspace === undefined) throw error;
    return workspace;
  }
}

async function importDemoFile(
  db: Database,
  workspace: WorkspaceRow,
  { mapping, file }: { readonly mapping: string; readonly file: string },
  output: ProgressOutput,
): Promise<void> {
  const rejections: string[] = [];
  const dated = writeDated(join(FOLDER, file), new Date());
  // The modules for imports are most of the code that a start would load, and few starts load a demo.
  const { importFile } = await import('../../import/import-file.ts');
  await importFile(db, {
    workspace,
    file: dated.path,
    mapping: join(FOLDER, `${mapping}.mapping.yaml`),
    objectType: undefined,
    match: undefined,
    dryRun: false,
    rejectFile: undefined,
    user: ADMINISTRATOR,
    output,
    onReject: (rejection) => rejections.push(rejectionLine(rejection, file)),
  }).finally(dated.remove);
  const [first] = rejections;
  if (first === undefined) return;
  throw operatorError(
    `The demo cannot be loaded: ${file} ${first} (${rejections.length} rows). DEMO=off starts without it.`,
  );
}

const ANOTHER_KEY =
  `Another key for the demo: npx workspace-records keys create --workspace ${SLUG} ` +
  `--user ${ADMINISTRATOR} --name another\n` +
  `To sign in: npx workspace-records sign-in-link --workspace ${SLUG} --user ${ADMINISTRATOR}\n`;

/** Made when the service listens: its half an hour begins then. */
async function administratorLink(
  db: Database,
  workspace: WorkspaceRow,
  origin: string,
): Promise<string | undefined> {
  const person = await loadMemberByEmail(db, workspace.schema, ADMINISTRATOR);
  if (person === undefined) return undefined;
  const link = await makeSignInLink({ db, workspace, actor: OPERATOR }, { person, origin });
  return link.url;
}

function welcome(address: string, secret: string, link: string | undefined): string {
  const url = `${address}/v1`;
  const application = `Or sign in to the application as the same person; the link is good once, for 30 minutes:

  ${link}

`;
  return `
The demo is ready: workspace "${SLUG}", base URL ${url}, key of ${ADMINISTRATOR}. Try:

  curl -H 'Authorization: Bearer ${secret}' '${url}/objects/deals/records?limit=3&fields=name,close_value'

${link === undefined ? '' : application}`;
}
