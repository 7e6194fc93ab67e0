// The search of the documents: all words of the question in a section, those with words in a heading first. The texts come
// with the first letter.

const input = document.getElementById('q');
const found = document.getElementById('found');
const MOST = 12;
let sections;
let asked = 0;

input.addEventListener('input', async () => {
  asked += 1;
  const turn = asked;
  sections ??= fetch('/docs/sections.json').then((answer) => answer.json());
  const all = await sections;
  if (turn === asked) show(input.value.trim() === '' ? undefined : matching(all, input.value));
});
document.addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '');
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    input.focus();
  } else if (event.key === 'Escape') show(undefined);
  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event);
});
document.addEventListener('click', ({ target }) => {
  if (!target.closest('search')) show(undefined);
});
const menu = document.getElementById('menu');
menu.addEventListener('click', () => {
  const isOpen = document.getElementById('pages').classList.toggle('open');
  menu.setAttribute('aria-expanded', String(isOpen));
});

function matching(all, question) {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  return all
    .map((section) => [scoreOf(section, words), section])
    .filter(([score]) => score > 0)
    .sort(([one], [other]) => other - one)
    .slice(0, MOST)
    .map(([, [address, page, heading, text]]) => ({
      address,
      page,
      heading,
      extract: extractOf(text, words[0]),
    }));
}

/** 0: a word is missing. */
function scoreOf([, page, heading, text], words) {
  let score = 0;
  for (const word of words) {
    const at = [heading, page, text].map((part) => part.toLowerCase().indexOf(word));
    if (at.every((place) => place < 0)) return 0;
    score +=
      (at[0] >= 0 ? 20 : 0) +
      (at[1] >= 0 ? 8 : 0) +
      (at[2] >= 0 ? 1 + Math.min(4, text.toLowerCase().split(word).length / 3) : 0);
  }
  return score / Math.log(20 + text.length);
}

function extractOf(text, word) {
  const from = Math.max(0, text.toLowerCase().indexOf(word) - 50);
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 140)}${text.length > from + 140 ? ' …' : ''}`;
}

function show(hits) {
  found.replaceChildren();
  if (hits === undefined) return;
  if (hits.length === 0) found.append(element('p', 'Nothing has all of these words.'));
  for (const { address, page, heading, extract } of hits) {
    const link = element('a', heading === page ? page : `${page}: ${heading}`);
    link.href = address;
    link.append(element('small', extract));
    found.append(link);
  }
}

function move(event) {
  const links = [...found.querySelectorAll('a')];
  if (links.length === 0) return;
  const at = links.indexOf(document.activeElement);
  const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
  event.preventDefault();
  (next < 0 ? input : (links[next] ?? links.at(-1))).focus();
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
