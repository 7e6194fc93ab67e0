// The slugs of decisions and the lists of contents of docs/decisions.md, from the decisions that it and the pages of
// docs/design hold.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DECISIONS_PAGE = 'docs/decisions.md';
const DESIGN = 'docs/design';

interface Decision {
  readonly number: string;
  readonly title: string;
  readonly slug: string;
}

interface Section {
  readonly title: string;
  readonly decisions: readonly Decision[];
}

const DECISION = /^(?:<a id="[^"]*"><\/a>\n)?(\*\*D(\d+)\. ([^*]+)\.?\*\*)/gm;

/** Path → content of every page that has decisions. */
export function decisionPages(root: string): readonly (readonly [string, () => string])[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const pages = readdirSync(join(root, DESIGN)).map((name) => `${DESIGN}/${name}`);
  const withDecisions = pages.filter((path) => decisionsIn(read(path)).length > 0);
  const others = withDecisions.map((path) => ({ path, text: read(path) }));
  return [
    [DECISIONS_PAGE, () => decisionsPage(read(DECISIONS_PAGE), others)],
    ...withDecisions.map((path) => [path, () => withSlugs(read(path))] as const),
  ];
}

/** The slug of a title: `Rate windows` → `rate-windows`. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function decisionsIn(text: string): readonly Decision[] {
  return [...text.matchAll(DECISION)].map(([, , number = '', printed = '']) => {
    const title = printed.replaceAll(/\s+/g, ' ');
    return { number, title, slug: slugOf(title) };
  });
}

function withSlugs(text: string): string {
  return text.replaceAll(DECISION, (_, head: string, __, title: string) => {
    return `<a id="${slugOf(title)}"></a>\n${head}`;
  });
}

interface OtherPage {
  readonly path: string;
  readonly text: string;
}

function decisionsPage(text: string, others: readonly OtherPage[]): string {
  const sections = text
    .split(/^## /m)
    .map((part) => ({ title: part.split('\n')[0] ?? '', decisions: decisionsIn(part) }))
    .filter(({ decisions }) => decisions.length > 0);
  const contents = sections.map((section) => listItem(section, '', `#${slugOf(section.title)}`));
  const elsewhere = others.map(({ path, text: page }) => {
    const title = /^# (.*)$/m.exec(page)?.[1] ?? path;
    const address = path.replace('docs/', '');
    return listItem({ title, decisions: decisionsIn(page) }, address, address);
  });
  const withContents = between(withSlugs(text), 'contents', contents);
  return between(withContents, 'other pages', elsewhere);
}

/** Characters of a line of the lists. */
const WIDTH = 120;

function listItem({ title, decisions }: Section, page: string, address: string): string {
  const links = decisions.map((one) => `[D${one.number} ${one.title}](${page}#${one.slug})`);
  const lines = [`- [${title}](${address}):`];
  links.forEach((link, index) => {
    const part = index === links.length - 1 ? link : `${link},`;
    const line = `${lines.at(-1)} ${part}`;
    if (line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(`  ${part}`);
  });
  return lines.join('\n');
}

function between(page: string, name: string, items: readonly string[]): string {
  const [start, end] = [`<!-- ${name}: made by scripts/generate.ts -->`, `<!-- end of ${name} -->`];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${DECISIONS_PAGE} has lost its marks`);
  return `${before}${start}\n\n${items.join('\n')}\n\n${end}${after}`;
}
