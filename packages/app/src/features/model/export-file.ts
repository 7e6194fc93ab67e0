// The definition as a file that `workspace-records apply` takes, in the form in which `definition show --patch` prints it.

import { stringify } from 'yaml';
import type { Session } from '../../lib/session.ts';

export async function exportFile({ workspace, client }: Session): Promise<void> {
  const { revision, patch } = await client.definition.get({ form: 'patch' });
  const text = printFile(workspace, revision, patch);
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${workspace}-definition-${revision}.yaml`;
  link.click();
  URL.revokeObjectURL(url);
}

export function printFile(workspace: string, revision: number, patch: unknown): string {
  return `# ${workspace}, revision ${revision}\n${stringify(patch)}`;
}
