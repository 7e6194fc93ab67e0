// Exports of other programs are recognised by their headings, and their columns find the fields of usual objects.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { findPreset, PRODUCTS } from '../../tables/src/presets/find-preset.ts';
import { startDraft, type Target } from '../src/features/imports/import-draft.ts';
import { readTableFile as readTable } from '../src/lib/table-file.ts';

const field = (key: string, type = 'text', rest: Partial<Field> = {}): Field => ({
  ...{ key, name: null, type, required: false, editable: true, storage: 'physical' },
  ...{ storage_key: key, ...rest },
});
const refers = (key: string, to: string) =>
  field(key, 'reference', { constraints: { reference_object_type: to } });
const object = (object_type: string, fields: readonly Field[], display_field = 'name') =>
  ({
    ...{ object_type, name: object_type, singular_name: null, display_field, fields },
  }) as unknown as ObjectDefinition;

const COMMON = [
  field('id', 'text'),
  field('owner_user_id', 'user'),
  field('created_at', 'datetime'),
  field('updated_at', 'datetime'),
];
const COMPANIES = object('companies', [
  ...[field('name'), field('domain'), field('website', 'url'), field('phone', 'phone')],
  ...[field('industry'), field('employees', 'integer'), field('city'), field('country')],
  ...[field('revenue', 'currency'), ...COMMON],
]);
const CONTACTS = object('contacts', [
  ...[field('name'), field('email', 'email'), field('phone', 'phone'), field('job_title')],
  ...[refers('company_id', 'companies'), ...COMMON],
]);
const DEALS = object('deals', [
  ...[field('name'), field('amount', 'currency'), field('close_date', 'date')],
  ...[refers('company_id', 'companies'), refers('contact_id', 'contacts')],
  field('status', 'select', { options: [{ value: 'new' }, { value: 'won', label: 'Closed won' }] }),
  ...COMMON,
]);
const TASKS = object(
  'tasks',
  [
    ...[field('title'), field('due_date', 'date'), field('description', 'long_text')],
    ...[refers('company_id', 'companies'), field('priority')],
    field('status', 'select', { options: [{ value: 'open' }, { value: 'done' }] }),
    ...COMMON,
  ],
  'title',
);
const OBJECTS = { companies: COMPANIES, contacts: CONTACTS, deals: DEALS, tasks: TASKS };
const OTHERS = new Map(Object.entries(OBJECTS));

/** Headings and a row of each export, and the columns that are imported. */
const EXPORTS: readonly (readonly [
  product: string,
  subject: keyof typeof OBJECTS,
  text: string,
  fields: Readonly<Record<string, string>>,
])[] = [
  [
    'HubSpot',
    'companies',
    `Record ID,Company name,Company owner,Create Date,Phone Number,Last Activity Date,City,Country/Region,Industry
1234,Acme,Ada Lovelace,2026-01-31 10:00,+1 555 0100,,Berlin,Germany,Retail`,
    {
      ...{ 'Company name': 'name', 'Company owner': 'owner_user_id', 'Create Date': 'created_at' },
      ...{ 'Phone Number': 'phone', City: 'city', 'Country/Region': 'country' },
      Industry: 'industry',
    },
  ],
  [
    'HubSpot',
    'contacts',
    `Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Primary Company,Lead Status,Create Date,Job Title
1,Ada,Lovelace,ada@acme.example,+1 555 0100,Ada,Acme,New,2026-01-31 10:00,Engineer`,
    {
      ...{ Email: 'email', 'Phone Number': 'phone', 'Contact owner': 'owner_user_id' },
      ...{ 'Primary Company': 'company_id', 'Create Date': 'created_at', 'Job Title': 'job_title' },
    },
  ],
  [
    'HubSpot',
    'deals',
    `Record ID,Deal Name,Deal Stage,Close Date,Deal owner,Amount,Pipeline,Associated Company
7,Ropes,Closed won,2026-01-31,Ada,1200,Sales,Acme`,
    {
      ...{ 'Deal Name': 'name', 'Deal Stage': 'status', 'Close Date': 'close_date' },
      ...{ 'Deal owner': 'owner_user_id', Amount: 'amount', 'Associated Company': 'company_id' },
    },
  ],
  [
    'HubSpot',
    'tasks',
    `Record ID,Task Title,Task Type,Due Date,Task Status,Priority,Assigned to,Task Notes
9,Call,Call,2026-02-01,Done,High,Ada,Ask for the order`,
    {
      ...{ 'Task Title': 'title', 'Due Date': 'due_date', 'Task Status': 'status' },
      ...{ Priority: 'priority', 'Assigned to': 'owner_user_id', 'Task Notes': 'description' },
    },
  ],
  [
    'Salesforce',
    'companies',
    `Account ID,Account Name,Account Owner,Billing City,Phone,Website,Industry,Created Date
001,Acme,Ada,Berlin,+49 30 1234567,https://acme.example,Retail,2026-01-31`,
    {
      ...{ 'Account Name': 'name', 'Account Owner': 'owner_user_id', 'Billing City': 'city' },
      ...{ Phone: 'phone', Website: 'website', Industry: 'industry', 'Created Date': 'created_at' },
    },
  ],
  [
    'Salesforce',
    'contacts',
    `First Name,Last Name,Title,Account Name,Email,Phone,Contact Owner,Contact ID
Ada,Lovelace,Engineer,Acme,ada@acme.example,+49 30 1234567,Ada,003`,
    {
      ...{ Title: 'job_title', 'Account Name': 'company_id', Email: 'email', Phone: 'phone' },
      'Contact Owner': 'owner_user_id',
    },
  ],
  [
    'Salesforce',
    'companies',
    `Id,IsDeleted,Name,Type,BillingCity,BillingCountry,Phone,Website,Industry,AnnualRevenue,NumberOfEmployees,OwnerId,CreatedDate
001,false,Acme,Customer,Berlin,Germany,+49 30 1234567,https://acme.example,Retail,1000000,250,005,2026-01-31T10:00:00.000+0000`,
    {
      ...{ Name: 'name', BillingCity: 'city', BillingCountry: 'country', Phone: 'phone' },
      ...{ Website: 'website', Industry: 'industry', AnnualRevenue: 'revenue' },
      ...{ NumberOfEmployees: 'employees', CreatedDate: 'created_at' },
    },
  ],
  [
    'Salesforce',
    'contacts',
    `Id,AccountId,LastName,FirstName,Salutation,Name,Phone,Email,Title,OwnerId,CreatedDate
003,001,Lovelace,Ada,Ms.,Ada Lovelace,+1 555 0100,ada@acme.example,Engineer,005,2026-01-31T10:00:00Z`,
    {
      ...{ Name: 'name', Phone: 'phone', Email: 'email', Title: 'job_title' },
      CreatedDate: 'created_at',
    },
  ],
  [
    'Salesforce',
    'deals',
    `Opportunity Name,Account Name,Stage,Amount,Close Date,Opportunity Owner,Probability (%),Created Date
Ropes,Acme,Closed Won,"$1,200.00",1/31/2026,Ada Lovelace,100,1/2/2026`,
    {
      ...{ 'Opportunity Name': 'name', 'Account Name': 'company_id', Stage: 'status' },
      ...{ Amount: 'amount', 'Close Date': 'close_date', 'Opportunity Owner': 'owner_user_id' },
      'Created Date': 'created_at',
    },
  ],
  [
    'Salesforce',
    'tasks',
    `Id,WhoId,WhatId,Subject,ActivityDate,Status,Priority,OwnerId,Description,IsClosed
00T,003,006,Call,2026-02-01,Done,High,005,Ask,true`,
    {
      ...{ Subject: 'title', ActivityDate: 'due_date', Status: 'status', Priority: 'priority' },
      Description: 'description',
    },
  ],
  [
    'Pipedrive',
    'companies',
    `Organization - Name,Organization - Address,Organization - Owner,Organization - People,Organization - Open deals
Acme,Main Street 1,Ada,3,2`,
    { 'Organization - Name': 'name', 'Organization - Owner': 'owner_user_id' },
  ],
  [
    'Pipedrive',
    'contacts',
    `Person - Name,Person - Organization,Person - Email - Work,Person - Phone - Work,Person - Owner
Ada Lovelace,Acme,ada@acme.example,+1 555 0100,Ada`,
    {
      ...{ 'Person - Name': 'name', 'Person - Organization': 'company_id' },
      ...{ 'Person - Email - Work': 'email', 'Person - Phone - Work': 'phone' },
      'Person - Owner': 'owner_user_id',
    },
  ],
  [
    'Pipedrive',
    'deals',
    `Deal - Title,Deal - Value,Deal - Currency of Value,Deal - Organization,Deal - Contact person,Deal - Stage,Deal - Expected close date,Deal - Owner
Ropes,1200,EUR,Acme,Ada Lovelace,won,2026-01-31,Ada`,
    {
      ...{ 'Deal - Title': 'name', 'Deal - Value': 'amount', 'Deal - Organization': 'company_id' },
      ...{ 'Deal - Contact person': 'contact_id', 'Deal - Stage': 'status' },
      ...{ 'Deal - Expected close date': 'close_date', 'Deal - Owner': 'owner_user_id' },
    },
  ],
  [
    'Pipedrive',
    'tasks',
    `Activity - Subject,Activity - Type,Activity - Due date,Activity - Done,Activity - Assigned to user,Activity - Note
Call,Call,2026-02-01,Done,Ada,Ask`,
    {
      ...{ 'Activity - Subject': 'title', 'Activity - Due date': 'due_date' },
      ...{ 'Activity - Done': 'status', 'Activity - Assigned to user': 'owner_user_id' },
      'Activity - Note': 'description',
    },
  ],
  [
    'Airtable',
    'companies',
    `Name,Industry,Size,HQ address,Company website,Company LinkedIn,Contacts,Opportunities
Acme,Retail,250,Main Street 1,https://acme.example,https://linked.example/acme,Ada,Ropes`,
    { Name: 'name', Industry: 'industry', Size: 'employees', 'Company website': 'website' },
  ],
  [
    'Airtable',
    'contacts',
    `Name,Title,Department,Account,Email,Phone,LinkedIn,VIP
Ada Lovelace,Engineer,R&D,Acme,ada@acme.example,(555) 010-0200,,checked`,
    { Name: 'name', Title: 'job_title', Account: 'company_id', Email: 'email', Phone: 'phone' },
  ],
  [
    'Airtable',
    'deals',
    `Opportunity name,Status,Priority,Estimated value,Account,Primary contact,Owner,Expected close date,Last contact
Ropes,won,High,"$1,200.00",Acme,Ada Lovelace,Ada,1/31/2026,1/2/2026`,
    {
      ...{ 'Opportunity name': 'name', Status: 'status', 'Estimated value': 'amount' },
      ...{ Account: 'company_id', 'Primary contact': 'contact_id', Owner: 'owner_user_id' },
      'Expected close date': 'close_date',
    },
  ],
  [
    'Airtable',
    'tasks',
    `Name,Notes,Assignee,Status,Due date,Attachments
Call,Ask,Ada,open,2/1/2026,`,
    {
      ...{ Name: 'title', Notes: 'description', Assignee: 'owner_user_id', Status: 'status' },
      'Due date': 'due_date',
    },
  ],
];

test.each(EXPORTS)(
  'an export of %s with %s finds its fields',
  async (product, subject, text, fields) => {
    const table = await readTable(new Blob([text]));
    expect(findPreset(table.headings)).toMatchObject({ product, subject });
    const object = OBJECTS[subject];
    const target: Target = { object, head: { object_type: object.object_type }, others: OTHERS };
    const { columns } = startDraft(target, table);
    const found = columns.flatMap(({ heading, field: key }) =>
      key === undefined ? [] : [[heading, key] as const],
    );
    expect(Object.fromEntries(found)).toEqual(fields);
  },
);

test('a name is made of first and last names', async () => {
  const [, contacts] = EXPORTS;
  const table = await readTable(new Blob([contacts?.[2] ?? '']));
  const draft = startDraft(
    { object: CONTACTS, head: { object_type: 'contacts' }, others: OTHERS },
    table,
  );
  expect(draft.templates).toEqual({ name: '[{First Name}][ {Last Name}]' });
});

test('other files are none of these', () => {
  expect(findPreset(['Name', 'Email', 'Note'])).toBeUndefined();
  expect(
    findPreset(['a', 'b', 'c', 'd', 'e', 'Name', 'Title', 'Account', 'Email']),
  ).toBeUndefined();
});

test.each([
  [
    'Zoho',
    'deals',
    'Record Id,Deal Owner,Amount,Deal Name,Closing Date,Account Name,Stage,Created Time',
  ],
  ['Attio', 'companies', 'Record ID,Record,Domains,Description,Categories,Employee range,LinkedIn'],
  ['Notion', 'tasks', 'Task name,Status,Assignee,Due date,Priority,Effort level,Tags'],
  ['Monday', 'tasks', 'Name,Subitems,Person,Status,Date,Item ID (auto generated)'],
  [
    'Asana',
    'tasks',
    'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Notes',
  ],
  [
    'Jira',
    'tasks',
    'Summary,Issue key,Issue id,Issue Type,Status,Project key,Assignee,Labels,Labels (2)',
  ],
  [
    'Trello',
    'tasks',
    'Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,List Name',
  ],
  [
    'Google contacts',
    'contacts',
    'First Name,Last Name,File As,Labels,E-mail 1 - Label,E-mail 1 - Value',
  ],
  [
    'Outlook contacts',
    'contacts',
    'Title,First Name,Last Name,Company,Job Title,E-mail Address,Business Phone',
  ],
  ['LinkedIn', 'contacts', 'First Name,Last Name,URL,Email Address,Company,Position,Connected On'],
  [
    'Shopify',
    'deals',
    'Name,Email,Financial Status,Paid at,Currency,Subtotal,Total,Created at,Id,Lineitem name',
  ],
  [
    'WooCommerce',
    'products',
    'ID,Type,SKU,Name,Published,Is featured?,Regular price,Stock,Categories',
  ],
  [
    'Stripe',
    'deals',
    'id,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Customer Email,Status',
  ],
  ['PayPal', 'deals', 'Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,Transaction ID'],
])('an export of %s is recognised', (product, subject, headings) => {
  expect(PRODUCTS).toContain(product);
  const found = findPreset(headings.split(','));
  expect(found).toMatchObject({ product, subject });
});

test('the ids of the program are a unique field, by which a second export finds its records', async () => {
  const text = EXPORTS[0]?.[2] ?? '';
  const { guesses } = await readTable(new Blob([text]));
  const [id] = guesses;
  expect(id).toMatchObject({ key: 'hubspot_id', name: 'HubSpot id', isUnique: true, type: 'text' });
  const unique = { constraints: { unique: true } } as Partial<Field>;
  const fields = [
    ...COMPANIES.fields,
    field('hubspot_id', 'text', { name: 'HubSpot id', ...unique }),
  ];
  const target = {
    object: { ...COMPANIES, fields },
    head: { object_type: 'companies' },
    others: OTHERS,
  };
  const { columns, match } = startDraft(target, await readTable(new Blob([text])));
  expect(columns[0]).toMatchObject({ heading: 'Record ID', field: 'hubspot_id' });
  expect(match).toEqual(['hubspot_id']);
});
