// `apply`: shows what a definition document changes in a workspace and makes the changes.

import type { Command } from 'commander';
import {
  applyDefinition,
  type DefinitionPlan,
  planDefinition,
  requireApplicable,
} from '../../definitions/apply/apply-definition.ts';
import { problemText } from '../../definitions/apply/definition-plan.ts';
import { readDefinitionFile } from '../../definitions/document/definition-file.ts';
import { connect } from '../connect.ts';
import { collect } from '../repeated-option.ts';
import { printable, tell } from '../say.ts';
import { SUMMARIES } from './summaries.ts';

interface ApplyArguments {
  readonly workspace: string;
  readonly dryRun: boolean;
  readonly merge: boolean;
  readonly allowDrop: readonly string[];
  readonly json: boolean;
}

export function addApplyCommand(program: Command): void {
  program
    .command('apply')
    .description(SUMMARIES.apply)
    .argument('<file>', 'the definition document of the workspace')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--dry-run', 'show the changes without making them', false)
    .option('--merge', 'the document is a patch over the current one', false)
    .option('--allow-drop <name>', 'data that may be lost; may be repeated', collect, [])
    .option('--json', 'print the changes as JSON', false)
    .action(apply);
}

async function apply(file: string, options: ApplyArguments): Promise<void> {
  const document = readDefinitionFile(file);
  const { workspace: slug, allowDrop, dryRun, merge, json } = options;
  const { db, close } = await connect({ purpose: 'command' });
  try {
    const plan = dryRun
      ? await planDefinition(db, slug, document, { allowDrop, merge })
      : await applyDefinition(db, slug, document, { allowDrop, merge });
    tell(json ? planJson(plan, !dryRun) : planText(plan, !dryRun));
    requireApplicable(plan);
  } finally {
    await close();
  }
}

function planJson(plan: DefinitionPlan, applied: boolean): string {
  const { workspace, changes, problems, losses, notes } = plan;
  const answer = {
    workspace: workspace.slug,
    revision: workspace.revision,
    applied,
    changes: changes.map(({ summary, loss }) => ({ summary, loss })),
    refusals: problems.map(problemText),
    losses,
    notes,
  };
  return `${JSON.stringify(answer, null, 2)}\n`;
}

function planText({ workspace, changes, notes }: DefinitionPlan, applied: boolean): string {
  const { slug, revision } = workspace;
  const said = notes.map((note) => `Note: ${note}.\n`).join('');
  if (changes.length === 0) return `${said}${slug}: no changes (revision ${revision})\n`;
  const lossy = changes.filter(({ loss }) => loss !== null);
  const width = Math.max(0, ...lossy.map(({ summary }) => summary.length));
  const lines = changes.map(({ summary, loss }) =>
    printable(loss === null ? summary : `${summary.padEnd(width)}   loses data: ${loss}`),
  );
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  const last = applied
    ? `${slug}: ${count}, now revision ${revision}`
    : `${slug}: ${count} to revision ${revision}, none made (dry run)`;
  return `${lines.join('\n')}\n${said}${last}\n`;
}
