// Definition documents as files: reads the YAML or JSON a person keeps, and the shipped base that every document of a
// workspace is a merge patch over (D77). The content of a document is checked later.

import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { operatorError } from '../../errors.ts';
import { mergePatch } from '../../model/definition/definition.ts';
import { packagePath } from '../../package-folder.ts';

const BASE_FILE = packagePath('definitions', 'base.yaml');

/**
 * The document in a YAML or JSON file, unchanged. Syntax errors and duplicate keys are operator errors with line and
 * column.
 */
export function readDefinitionFile(path: string): unknown {
  return parseDefinition(path, readText(path));
}

let base: unknown;

/** The base, which documents of workspaces are merged over. */
export function readBase(): unknown {
  base ??= readDefinitionFile(BASE_FILE);
  return base;
}

/** The whole definition of a workspace: its document merged over the base. */
export function mergeOverBase(document: unknown): unknown {
  return mergePatch(readBase(), document);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    const reason = code === 'ENOENT' ? 'there is no such file' : String(code);
    throw operatorError(`Cannot read ${path}: ${reason}.`, error);
  }
}

/** YAML 1.2 includes JSON, so one parser serves both. */
function parseDefinition(path: string, text: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  // A warning, such as an unknown tag, marks a value that differs from its look.
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw operatorError(`${path}:${line}:${col}: ${error.message}`);
  }
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw operatorError(`${path}: ${reason}`, cause);
  }
}
