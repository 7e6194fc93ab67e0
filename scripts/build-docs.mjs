// Makes the documents a site for browsers: a page for each Markdown file, the texts of its sections for the search, and
// `llms.txt`. The service serves it at /docs; nothing in it comes from another host.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Marked } from 'marked';

/** The pages of the navigation, in its order; those of a folder follow its README. */
const GROUPS = [
  [
    'Start',
    ['README.md', 'docs/guide/first-hour.md', 'docs/guide/concepts.md', 'docs/application.md'],
  ],
  ['Guide', ['docs/guide']],
  [
    'Operating',
    [
      'docs/answers.md',
      'docs/production.md',
      'docs/operations.md',
      'docs/versions.md',
      'docs/comparison.md',
      'docs/import.md',
      'docs/export.md',
      'deploy/README.md',
    ],
  ],
  ['Clients', ['packages/client/README.md', 'packages/python/README.md']],
  ['Proof', ['docs/performance.md', 'docs/reliability.md', 'docs/security.md']],
  [
    'Project',
    [
      'CHANGELOG.md',
      'ROADMAP.md',
      'SUPPORT.md',
      'SECURITY.md',
      'CONTRIBUTING.md',
      'docs/releasing.md',
      'ARCHITECTURE.md',
      'STYLE.md',
      'docs/decisions.md',
    ],
  ],
  ['Design', ['docs/design']],
];
const PICTURES = 'docs/pictures';

/** Write the site of the repository `root` to `out`; answers the files with text. */
export function buildDocs(root, out) {
  rmSync(out, { recursive: true, force: true });
  const listed = new Set();
  const groups = GROUPS.map(([name, places]) => {
    const files = places
      .flatMap((place) => filesOf(root, place))
      .filter((file) => !listed.has(file));
    for (const file of files) listed.add(file);
    return { name, files };
  });
  const pages = new Map([...listed].map((file) => [file, readPage(root, file)]));
  const texts = new Map([
    ...[...pages.values()].flatMap((page) => [
      [`${page.path}.html`, shell(page, groups, pages, bodyOf(page, pages))],
      [`${page.path}.md`, page.text],
    ]),
    ['sections.json', JSON.stringify([...pages.values()].flatMap(sectionsOf))],
    ['llms.txt', guideForModels(groups, pages)],
    ...['docs.css', 'search.js'].map((name) => [
      name,
      readFileSync(join(import.meta.dirname, 'docs-site', name), 'utf8'),
    ]),
  ]);
  for (const [name, text] of texts) write(out, name, text);
  mkdirSync(join(out, 'pictures'), { recursive: true });
  for (const name of readdirSync(join(root, PICTURES))) {
    copyFileSync(join(root, PICTURES, name), join(out, 'pictures', name));
  }
  return [...texts.keys()].map((name) => join(out, name));
}

function filesOf(root, place) {
  if (place.endsWith('.md')) return [place];
  const names = readdirSync(join(root, place)).filter((name) => name.endsWith('.md'));
  // Its table of contents has the order in which to read.
  const contents = readFileSync(join(root, place, 'README.md'), 'utf8');
  const rank = (name) =>
    name === 'README.md' ? -1 : contents.indexOf(`(${name}`) + 1 || Number.MAX_SAFE_INTEGER;
  return names.sort((one, other) => rank(one) - rank(other)).map((name) => `${place}/${name}`);
}

function readPage(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  const tokens = new Marked().lexer(text);
  const title = tokens.find(({ type }) => type === 'heading')?.text ?? file;
  return { file, text, tokens, title: plain(title), path: pathOf(file) };
}

/** `docs/guide/changes.md` is `guide/changes`; what is outside of `docs` keeps its folder. */
function pathOf(file) {
  if (file === 'README.md') return 'index';
  return file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replace(/(^|\/)README$/, '$1index');
}

function addressOf(path) {
  return `/docs/${path}`.replace(/\/index$/, '/').replace(/(?<=.)\/$/, '');
}

function bodyOf(page, pages) {
  const ids = new Map();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = unique(slugOf(text), ids);
        return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = linkOf(page, href, pages);
        return address === undefined ? inner : `<a href="${escaped(address)}">${inner}</a>`;
      },
      image({ href, text }) {
        const name = posix.basename(href);
        return `<img src="/docs/pictures/${escaped(name)}" alt="${escaped(text)}">`;
      },
      // Comments in the Markdown are for tools; anchors are places that links lead to.
      html: ({ text }) =>
        [...text.matchAll(/<a id="([\w-]+)">/g)].map(([, id]) => `<a id="${id}"></a>`).join(''),
    },
  });
  return marked.parse(page.text);
}

/** Undefined: a file that the site does not have. */
function linkOf({ file }, href, pages) {
  if (/^(?:https?:|mailto:)/.test(href)) return href;
  const [target = '', place] = href.split('#');
  if (target === '') return href;
  const found = posix.normalize(posix.join(posix.dirname(file), target));
  const page = pages.get(found) ?? pages.get(posix.join(found, 'README.md'));
  return page === undefined
    ? undefined
    : addressOf(page.path) + (place === undefined ? '' : `#${place}`);
}

/** As GitHub makes them, so that links within the Markdown hold. */
function slugOf(text) {
  return plain(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function unique(slug, ids) {
  const count = ids.get(slug) ?? 0;
  ids.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

function plain(text) {
  return text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
}

/** `[address, title of the page, heading, text]` of each part below a heading. */
function sectionsOf({ tokens, title, path }) {
  const ids = new Map();
  const sections = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const id = unique(slugOf(token.text), ids);
      sections.push([`${addressOf(path)}#${id}`, title, plain(token.text), '']);
    } else if (token.type !== 'html' && sections.length > 0) {
      const section = sections.at(-1);
      section[3] =
        `${section[3]} ${plain(token.raw).replaceAll(/[\s|]+|-{3,}|- \[ \]/g, ' ')}`.trim();
    }
  }
  return sections;
}

function shell(page, groups, pages, body) {
  const entries = groups.map(({ name, files }) => {
    const items = files.map((file) => {
      const { path, title } = pages.get(file);
      const current = file === page.file ? ' aria-current="page"' : '';
      return `<li><a href="${addressOf(path)}"${current}>${escaped(title)}</a></li>`;
    });
    const isOpen = name !== 'Design' || files.includes(page.file);
    return `<details${isOpen ? ' open' : ''}><summary>${name}</summary><ul>${items.join('')}</ul></details>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)} · Workspace Records</title>
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="home" href="/docs">Workspace Records</a>
<search><label for="q">Search the documents</label><input id="q" type="search" autocomplete="off" placeholder="Search" aria-controls="found"><div id="found" role="status"></div></search>
<button id="menu" type="button" aria-expanded="false" aria-controls="pages">Pages</button>
</header>
<div class="columns">
<nav id="pages" aria-label="Pages">${entries.join('\n')}<p><a href="/reference">API reference</a></p></nav>
<main id="content">
${body}
</main>
</div>
</body>
</html>
`;
}

/** https://llmstxt.org: the pages with the first sentence of each. */
function guideForModels(groups, pages) {
  const lists = groups.map(({ name, files }) => {
    const lines = files.map((file) => {
      const { path, title, tokens } = pages.get(file);
      const first = tokens.find(({ type, text }) => type === 'paragraph' && !text.startsWith('!['));
      const sentence =
        plain(first?.text ?? '')
          .replaceAll(/\s+/g, ' ')
          .match(/^.*?[.:](?= |$)/)?.[0] ?? '';
      return `- [${title}](/docs/${path}.md): ${sentence}`;
    });
    return `## ${name}\n\n${lines.join('\n')}`;
  });
  const about =
    '> A self-hosted records service: one REST/JSON interface over every object of a workspace.';
  return `# Workspace Records Service\n\n${about} The OpenAPI document is /v1/openapi.json.\n\n${lists.join('\n\n')}\n`;
}

function write(out, name, text) {
  const path = join(out, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
