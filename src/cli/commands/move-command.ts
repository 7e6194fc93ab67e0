// `workspaces move`: a workspace to another server of a cluster of Citus.

import type { Command } from 'commander';
import { findWorkspace } from '../../control/workspace/workspaces.ts';
import { requireFound } from '../../definitions/apply/definition-plan.ts';
import { moveWorkspace } from '../../workspaces/workspace-move.ts';
import { connect } from '../connect.ts';
import { secondsSince } from '../export-output.ts';
import { tell } from '../say.ts';

interface MoveArguments {
  readonly to: string;
}

export function addMoveCommand(workspaces: Command): void {
  workspaces
    .command('move')
    .description('Move a workspace to another server of a cluster of Citus, while it is used.')
    .argument('<slug>', 'the workspace')
    .requiredOption('--to <host:port>', 'the server; "workspaces list" shows where each one is')
    .action(move);
}

async function move(slug: string, { to }: MoveArguments): Promise<void> {
  const started = performance.now();
  const connected = await connect({ purpose: 'command' });
  try {
    const workspace = requireFound(await findWorkspace(connected.db, slug), slug);
    const from = await moveWorkspace(connected, { workspace, to });
    tell(`Moved "${slug}" from ${from} to ${to} (${secondsSince(started)} s).\n`);
  } finally {
    await connected.close();
  }
}
