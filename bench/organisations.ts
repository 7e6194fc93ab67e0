// Organisations for searches: the real ones of test/data and, by combining their words with places, subjects and
// kinds of institution, as many more as requested. Common words are common, as in a real registry. The same number
// gives the same organisations in every run.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { normalise } from '../src/model/text/search-text.ts';

export interface Organisation {
  readonly name: string;
  readonly city: string;
  readonly country?: string;
  readonly email: string;
  readonly phone: string;
}

/** The document of a workspace whose companies have every kind of text that is searched. */
export const ORGANISATIONS_DEFINITION = {
  objects: {
    companies: {
      fields: {
        city: { type: 'text', searchable: true },
        country: { type: 'text', searchable: true },
        email: { type: 'email' },
        phone: { type: 'phone' },
      },
    },
  },
  users: { 'ada@search.example': { name: 'Ada', roles: ['admin'] } },
};

const FILE = join(import.meta.dirname, '..', 'test', 'data', 'organisations.jsonl');
/** No combination of words is made more often than this before giving up on a new one. */
const ATTEMPTS = 50;

/** A whole number from 0 up to but not including `below`. */
export type Dice = (below: number) => number;

/** A generator of its own, so that no run depends on another (mulberry32). */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export function pick<Item>(dice: Dice, items: readonly Item[]): Item {
  return items[dice(items.length)] as Item;
}

/** The first are more frequent by far, as words are. */
function pickOften<Item>(dice: Dice, items: readonly Item[]): Item {
  return items[Math.min(dice(items.length), dice(items.length), dice(items.length))] as Item;
}

interface Seed {
  readonly name: string;
  readonly city: string;
  readonly native?: string;
}

/** So many organisations; no two have the same words in their names. */
export function makeOrganisations(count: number): readonly Organisation[] {
  const seeds = readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Seed);
  const dice = diceOf(count);
  const known = new Set<string>();
  const made: Organisation[] = [];
  const add = (name: string, city: string): boolean => {
    const words = normalise(name).split(' ').sort().join(' ');
    if (known.has(words) || made.length === count) return false;
    known.add(words);
    made.push({ name, city, ...addressOf(dice, name) });
    return true;
  };
  for (const { name, city, native } of seeds) {
    add(name, city);
    if (native !== undefined) add(native, city);
  }
  const parts = partsOf(seeds);
  while (made.length < count) {
    const isNew = Array.from({ length: ATTEMPTS }).some(() =>
      add(combined(dice, parts), pickOften(dice, parts.cities)),
    );
    if (!isNew) throw new Error('there are too few words for so many organisations');
  }
  return made;
}

/**
 * Those of a file with a JSON object a line, which may be packed with gzip: `name`, `city` and `country` of each. No two
 * have the same name.
 */
export function readOrganisations(path: string): readonly Organisation[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  const lines = text.trim().split('\n');
  const dice = diceOf(lines.length);
  const byName = new Map<string, Organisation>();
  for (const line of lines) {
    const { name: whole, city, country } = JSON.parse(line) as Record<string, string | null>;
    const name = String(whole).slice(0, 250);
    const place = { city: city ?? '', ...(country ? { country } : {}) };
    if (!byName.has(name)) byName.set(name, { name, ...place, ...addressOf(dice, name) });
  }
  return [...byName.values()];
}

interface Parts {
  readonly names: readonly string[];
  readonly words: readonly string[];
  readonly cities: readonly string[];
  readonly countries: readonly string[];
}

function partsOf(seeds: readonly Seed[]): Parts {
  const names = seeds.map(({ name }) => name.replace(/ \([^)]*\)$/, ''));
  return {
    names,
    words: byFrequency(names.flatMap((name) => name.match(/\p{Lu}[\p{L}]{2,}/gu) ?? [])),
    cities: byFrequency(seeds.map(({ city }) => city)),
    countries: byFrequency(seeds.flatMap(({ name }) => name.match(/(?<= \()[^)]*(?=\)$)/) ?? [])),
  };
}

function byFrequency(items: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([item]) => item);
}

const SUBJECTS = (
  'Research,Technology,Science,Medical Research,Health,Engineering,Agriculture,Economics,Medicine,' +
  'Energy,Physics,Applied Sciences,Marine Biology,Public Health,Food Safety,Space Research,Law,' +
  'Cancer Research,Water Management,Materials Science,Arts,Chemistry,Statistics,Plant Breeding,' +
  'Neuroscience,Social Work,Veterinary Medicine,Early Music,Forestry,Nuclear Energy'
).split(',');
const KINDS = (
  'Institute,Council,Society,Centre,Foundation,Academy,Association,Agency,Hospital,Museum,College,' +
  'Laboratory,Observatory,Library,Trust,Network,Consortium,Authority'
).split(',');
const SCOPES =
  'National,International,European,Royal,Central,Federal,State,American,Asian,New'.split(',');
const FORMS = 'Ltd,GmbH,Inc.,Corporation,Group,S.A.,AB,Co., Ltd.,Limited,B.V.,Holdings'.split(
  /,(?! )/,
);

type Template = (dice: Dice, parts: Parts) => string;

/** As frequent as they are listed here. */
const TEMPLATES: readonly Template[] = [
  (dice, p) =>
    `${pick(dice, p.words)} ${pickOften(dice, p.words)} (${pickOften(dice, p.countries)})`,
  (dice, p) => `${pick(dice, p.words)} ${pick(dice, p.words)} ${pickOften(dice, FORMS)}`,
  (dice, p) => `${pick(dice, p.words)} ${pickOften(dice, FORMS)} (${pickOften(dice, p.countries)})`,
  (dice, p) => `${pick(dice, p.names)} ${pick(dice, p.cities)}`,
  (dice, p) => `${pick(dice, p.cities)} ${pickOften(dice, SUBJECTS)} ${pickOften(dice, KINDS)}`,
  (dice, p) =>
    `University of ${pick(dice, p.cities)} ${pickOften(dice, KINDS)} of ${pickOften(dice, SUBJECTS)}`,
  (dice, p) =>
    `${pick(dice, SCOPES)} ${pickOften(dice, KINDS)} for ${pickOften(dice, SUBJECTS)} ${pick(dice, p.cities)}`,
  (dice, p) => `${pick(dice, p.words)} ${pickOften(dice, SUBJECTS)} ${pickOften(dice, KINDS)}`,
  (dice, p) => `${pick(dice, p.words)}${pick(dice, p.words).toLowerCase()}`,
  (dice, p) => `${pickOften(dice, SUBJECTS)} ${pickOften(dice, KINDS)} ${pick(dice, p.words)}`,
  (dice, p) => `Université ${pick(dice, p.words)} de ${pick(dice, p.cities)}`,
  (dice, p) => `Technische Universität ${pick(dice, p.cities)} Fakultät für ${pick(dice, p.words)}`,
  (dice, p) => `Instituto de Investigación ${pick(dice, p.words)} ${pick(dice, p.cities)}`,
  (dice) =>
    `${syllables(dice, CYRILLIC, 3)} ${pick(dice, CYRILLIC_KINDS)} ${syllables(dice, CYRILLIC, 2)}`,
  (dice) => `${syllables(dice, HAN, 2)}${syllables(dice, KANA, 3)}株式会社`,
  (dice) => `${syllables(dice, HANGUL, 3)} ${syllables(dice, HANGUL, 2)}`,
];

const CYRILLIC = 'мос,ков,ниж,гор,том,сиб,вол,урал,дон,кам,лен,сам,тул,пер,яр,рос,нов,хим'.split(
  ',',
);
const CYRILLIC_KINDS = 'институт,университет,завод,академия,центр'.split(',');
const HAN = [...'東京大阪日本中央新光明山田電機化学工業製薬三和北海南西高松石川'];
const KANA = 'タイ,テッ,ク,ソリ,ュー,ショ,ン,ケミ,カル,フー,ズ,メデ,ィア,サイ,バー,エナ'.split(',');
const HANGUL = [...'한국삼성현대전자중앙대학교연구원의료과기술서울부산동아신세계'];

function syllables(dice: Dice, list: readonly string[], count: number): string {
  const text = Array.from({ length: count }, () => pick(dice, list)).join('');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function combined(dice: Dice, parts: Parts): string {
  return pick(dice, TEMPLATES)(dice, parts);
}

const PEOPLE = 'anna,jose,kshira,liam,mei,nina,oskar,priya,ravi,sofia,tomas,wei,yuki,zara'.split(
  ',',
);
const LABELS = ['com', 'org', 'co.uk', 'de', 'jp', 'edu'];

function addressOf(dice: Dice, name: string): Pick<Organisation, 'email' | 'phone'> {
  const ascii = normalise(name).replaceAll(/[^a-z0-9 ]/g, '');
  const longest = ascii.split(' ').sort((one, other) => other.length - one.length);
  const host = longest.slice(0, 2).join('') || `org${dice(100_000)}`;
  const digits = (count: number) =>
    Array.from({ length: count }, (_, index) => (index === 0 ? 1 + dice(9) : dice(10))).join('');
  const person = dice(3) === 0 ? 'info' : `${pick(dice, PEOPLE)}.${pick(dice, PEOPLE)}${dice(40)}`;
  const local = digits(7);
  const group = `${local.slice(0, 3)}${pick(dice, [' ', '-', ''])}${local.slice(3)}`;
  return {
    email: `${person}@${host}.${pick(dice, LABELS)}`,
    phone: `+${pick(dice, ['1', '49', '81', '351', '44'])} ${digits(2 + dice(2))} ${group}`,
  };
}
