// The code blocks of a page of the guide, made into one shell script: the output of each block is kept apart, to be
// compared with the page.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Block {
  readonly language: string;
  /** Of a block that is a file. */
  readonly title: string | undefined;
  readonly text: string;
  /** Of its first line in the page. */
  readonly line: number;
}

/** A command, and the output that the page shows below it. */
export interface Step {
  readonly command: Block;
  readonly shown: Block | undefined;
}

const BLOCK = /^```(\w*)(?: title="([^"]+)")?\n([\s\S]*?)^```$/gm;

export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(BLOCK)].map(({ 1: language = '', 2: title, 3: text = '', index }) => {
    return { language, title, text, line: page.slice(0, index).split('\n').length };
  });
}

/** Commands with what follows them at once; a block that is neither is a file or a mistake. */
export function stepsOf(blocks: readonly Block[]): readonly Step[] {
  return blocks.flatMap((command, index) => {
    if (command.language !== 'sh') return [];
    const next = blocks[index + 1];
    const isShown = next?.language === 'json' || next?.language === 'text';
    return [{ command, shown: isShown ? next : undefined }];
  });
}

export interface Running {
  readonly folder: string;
  /** Replacements of the first lines that the page cannot know. */
  readonly replacements: readonly (readonly [string, string])[];
  /** Defined before the first block. */
  readonly prelude: string;
}

/** Write the script and the files of the page; answers the path of the script. */
export function writeScript(blocks: readonly Block[], running: Running): string {
  const { folder, replacements, prelude } = running;
  mkdirSync(folder, { recursive: true });
  const replaced = (text: string) =>
    replacements.reduce((left, [from, to]) => left.replaceAll(from, to), text);
  for (const { title, text } of blocks) {
    if (title !== undefined) writeFileSync(join(folder, title), text);
  }
  const parts = stepsOf(blocks).map(({ command }, index) => {
    return `exec > ${outputName(index)} 2>&1\n${replaced(command.text)}`;
  });
  const script = join(folder, 'page.sh');
  writeFileSync(script, ['set -e', prelude, ...parts, 'exec > done'].join('\n'));
  return script;
}

/** The output of the block; undefined when the script did not get there. */
export function outputOf(folder: string, index: number): string | undefined {
  try {
    return readFileSync(join(folder, outputName(index)), 'utf8');
  } catch {
    return undefined;
  }
}

function outputName(index: number): string {
  return `output-${index}`;
}

/** White space is ignored, `…` matches any text. */
export function isAsShown(shown: string, printed: string): boolean {
  const bare = (text: string) => text.replaceAll(/\s+/g, '');
  const pattern = bare(shown)
    .split('…')
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*?');
  return new RegExp(`^${pattern}$`, 'u').test(bare(printed));
}
