// `npm run bench:search`: how often `/search` finds the intended record, by kind of query, and how long
// it takes, compared with trigram similarity and full text of PostgreSQL on the same texts.
//   --records N    organisations in a database of its own, removed afterwards (50000)
//   --file PATH    real ones in their place: JSON lines with name, city and country, may be packed with gzip
//   --questions N  of each kind (300)

import { parseArgs } from 'node:util';
import { readHits } from '../src/flow/records/read/read-flow.ts';
import type { Database } from '../src/postgres/db.ts';
import { CONTROL_SCHEMA } from '../src/sql/sql.ts';
import { contactQuestions, makeContacts } from './made-contacts.ts';
import { makeOrganisations, readOrganisations } from './organisations.ts';
import { loadContacts, loadOrganisations, withServer } from './search-loading.ts';
import { type Engine, measureEngine, printOutcome } from './search-outcome.ts';
import { makeQuestions, QUESTION_KINDS } from './search-questions.ts';

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '50000' },
    file: { type: 'string' },
    questions: { type: 'string', default: '300' },
  },
});

const PAGE = 20;
const TEXT = `concat_ws(' ', name, city, country, email, phone)`;

/** The texts of the same rows, with the indexes that PostgreSQL has for them. */
const PEERS = [
  `create table peer as select id, created_at, ${TEXT} as text, to_tsvector('simple', ${TEXT}) as words
    from ws_search.companies union all
    select id, created_at, name, to_tsvector('simple', name) from ws_search.contacts`,
  `create index on peer using gin (text ${CONTROL_SCHEMA}.gin_trgm_ops)`,
  'create index on peer using gin (words)',
  'vacuum analyze peer',
];

const SIZE = `select round(sum(pg_total_relation_size(name::regclass)) / n) as bytes,
    round(sum(pg_indexes_size(name::regclass)) / n) as indexes
  from unnest(array['ws_search._search', 'ws_search._search_words']) as name,
    (select count(*) as n from ws_search.companies) c group by n`;

/** The most similar; the migrations put pg_trgm into their own schema. */
const TRIGRAMS = `select id from peer where $1 operator(${CONTROL_SCHEMA}.<%) text
  order by ${CONTROL_SCHEMA}.word_similarity($1, text) desc,
    ${CONTROL_SCHEMA}.similarity($1, text) desc, created_at desc limit ${PAGE}`;
const FULL_TEXT = `select id from peer where words @@ plainto_tsquery('simple', $1)
  order by ts_rank(words, plainto_tsquery('simple', $1)) desc, created_at desc limit ${PAGE}`;

function statementEngine(db: Database, name: string, text: string): Engine {
  return {
    name,
    ask: async (question) => {
      const rows = await db.query({ text, values: [question] });
      return rows.map(({ id }) => String(id));
    },
  };
}

await withServer(async (db) => {
  const { file, records } = options;
  const organisations =
    file === undefined ? makeOrganisations(Number(records)) : readOrganisations(file);
  const started = performance.now();
  const { context, ids } = await loadOrganisations(db, organisations);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const [size] = await db.query({ text: SIZE, values: [] });
  console.log(`${organisations.length} organisations, written in ${seconds} s`);
  console.log(`${size?.bytes} bytes of search tables a record, ${size?.indexes} of them indexes`);
  const contacts = makeContacts();
  const contactIds = await loadContacts(context, contacts);
  for (const text of PEERS) await db.query({ text, values: [] }, { prepare: false });
  const engines: readonly Engine[] = [
    {
      name: '/search',
      ask: async (text) => {
        const { rows: hits } = await readHits(context, { text, limit: PAGE });
        return hits.map(({ id }) => String(id));
      },
    },
    statementEngine(db, 'trigrams', TRIGRAMS),
    statementEngine(db, 'full text', FULL_TEXT),
  ];
  for (const kind of QUESTION_KINDS) {
    const questions = makeQuestions(organisations, kind, Number(options.questions));
    for (const engine of engines) {
      printOutcome(kind, engine.name, await measureEngine(engine, questions, ids));
    }
  }
  const questions = contactQuestions(contacts, Number(options.questions));
  for (const engine of engines) {
    const outcome = await measureEngine(engine, questions, contactIds);
    printOutcome('first and last name', engine.name, outcome);
  }
});
