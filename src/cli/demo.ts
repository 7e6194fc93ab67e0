// The demo workspace: the first start on an empty database fills it with a real data set through the
// same import that `import` runs. A start that finds it half loaded continues.

import { join } from 'node:path';
import { operatorError } from '../errors.ts';
import type { ProgressOutput } from '../import/progress.ts';
import { rejectionLine } from '../import/reject-file.ts';
import { SCOPES } from '../model/access.ts';
import type { Database } from '../store/db.ts';
import { readDefinitionFile } from '../store/definition-file.ts';
import {
  findWorkspace,
  listWorkspaces,
  putWorkspaceState,
  type WorkspaceRow,
} from '../store/workspaces.ts';
import type { Connected } from './connect.ts';
import { createKey } from './keys.ts';

/** Tells the person at the terminal about the demo, once the service listens at `address`. */
export type AnnounceDemo = (address: string) => void;

const SLUG = 'demo';
const ADMINISTRATOR = 'admin@demo.example';
const FOLDER = join(import.meta.dirname, '..', '..', 'examples', 'crm-sales');

/** In this order: deals refer to products and companies, projects to deals, comments to all of that. */
const FILES = [
  { mapping: 'products.mapping.yaml', file: 'products.csv' },
  { mapping: 'companies.mapping.yaml', file: 'accounts.csv' },
  { mapping: 'deals.mapping.yaml', file: 'sales_pipeline.csv' },
  { mapping: 'onboarding_items.mapping.yaml', file: 'onboarding_items.csv' },
  { mapping: 'onboarding_comments.mapping.yaml', file: 'onboarding_comments.csv' },
];

/**
 * Load the demo when there is no workspace at all, or when an earlier load was cut off. Everything
 * is matched with what is there, so that a load may be repeated.
 */
export async function loadDemo(
  { db, config }: Pick<Connected, 'db' | 'config'>,
  output: ProgressOutput = process.stderr,
): Promise<AnnounceDemo> {
  if (!config.demo) return () => undefined;
  const workspaces = await listWorkspaces(db);
  const known = workspaces.find(({ slug }) => slug === SLUG);
  if (known?.state === 'ready') return () => output.write(ANOTHER_KEY);
  if (known === undefined && workspaces.length > 0) return () => undefined;
  output.write('Loading the demo workspace (DEMO=off starts without it).\n');
  const workspace = known ?? (await createDemo(db));
  for (const { mapping, file } of FILES)
    await importDemoFile(db, workspace, { mapping, file }, output);
  const { secret } = await createKey(db, {
    workspace,
    email: ADMINISTRATOR,
    name: 'Demo',
    scopes: SCOPES,
    requests_per_minute: null,
    expires: null,
    type: undefined,
  });
  await putWorkspaceState(db, workspace.id, 'ready');
  return (address) => output.write(welcome(address, secret));
}

/** Another process that starts at the same time may be faster; then both load, which is harmless. */
async function createDemo(db: Database): Promise<WorkspaceRow> {
  const document = readDefinitionFile(join(FOLDER, 'definition.yaml'));
  const { createWorkspace } = await import('../store/provision.ts');
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
  // What imports need is most of what a start would load, and few starts load a demo.
  const { importFile } = await import('../import/import-file.ts');
  await importFile(db, {
    workspace,
    file: join(FOLDER, file),
    mapping: join(FOLDER, mapping),
    objectType: undefined,
    match: undefined,
    dryRun: false,
    rejectFile: undefined,
    user: ADMINISTRATOR,
    output,
    onReject: (rejection) => rejections.push(rejectionLine(rejection)),
  });
  const [first] = rejections;
  if (first === undefined) return;
  throw operatorError(
    `The demo cannot be loaded: ${file} ${first} (${rejections.length} rows). DEMO=off starts without it.`,
  );
}

const ANOTHER_KEY =
  `Another key for the demo: npx workspace-records keys create --workspace ${SLUG} ` +
  `--user ${ADMINISTRATOR} --name another\n`;

function welcome(address: string, secret: string): string {
  // 0.0.0.0 and [::] are addresses to listen on, not to send to.
  const url = `${address.replace(/\/\/(?:0\.0\.0\.0|\[::\]):/, '//localhost:')}/v1`;
  return `
The demo is ready: workspace "${SLUG}", base URL ${url}, key of ${ADMINISTRATOR}. Try:

  curl -H 'Authorization: Bearer ${secret}' '${url}/objects/deals/records?limit=3&fields=name,close_value'

`;
}
