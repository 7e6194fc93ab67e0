// The exports of four products, recognised by their usual headings, as their public documentation has them: which column
// is about what. Columns that are not named here are matched like those of any file. Pure.

import { type Concept, plainName } from './concepts.ts';

export type Subject = 'companies' | 'contacts' | 'deals' | 'tasks';

export interface Preset {
  readonly product: 'HubSpot' | 'Salesforce' | 'Pipedrive' | 'Airtable';
  readonly subject: Subject;
  /** Undefined: a column that helps to recognise the file and has no meaning elsewhere. */
  readonly columns: Readonly<Record<string, Concept | undefined>>;
}

const NOTHING = undefined;

/** Common to the exports of HubSpot. */
const HUBSPOT: Preset['columns'] = {
  'Record ID': NOTHING,
  'Create Date': 'createdAt',
  'Last Activity Date': NOTHING,
};

const HUBSPOT_PRESETS: readonly Preset[] = [
  {
    product: 'HubSpot',
    subject: 'companies',
    columns: {
      ...HUBSPOT,
      ...{ 'Company name': 'name', 'Company owner': 'owner', 'Phone Number': 'phone' },
      ...{ City: 'city', 'Country/Region': 'country', Industry: 'industry' },
      ...{ 'Company Domain Name': 'domain', 'Website URL': 'website', Description: 'description' },
      ...{ 'Number of Employees': 'employees', 'Annual Revenue': 'revenue' },
      ...{ 'Street Address': 'street', 'Postal Code': 'postalCode', 'State/Region': 'region' },
      ...{ 'Lead Status': NOTHING, 'Lifecycle Stage': NOTHING, 'Parent Company': 'parent' },
    },
  },
  {
    product: 'HubSpot',
    subject: 'contacts',
    columns: {
      ...HUBSPOT,
      ...{ 'First Name': 'firstName', 'Last Name': 'lastName', Email: 'email' },
      ...{ 'Phone Number': 'phone', 'Mobile Phone Number': 'mobile', 'Job Title': 'jobTitle' },
      ...{
        'Contact owner': 'owner',
        'Associated Company': 'company',
        'Primary Company': 'company',
      },
      ...{ 'Company name': 'company', 'Lead Status': NOTHING, 'Lifecycle Stage': NOTHING },
      ...{ 'Marketing contact status': NOTHING },
    },
  },
  {
    product: 'HubSpot',
    subject: 'deals',
    columns: {
      ...HUBSPOT,
      ...{ 'Deal Name': 'name', 'Deal Stage': 'status', 'Close Date': 'closes', Amount: 'amount' },
      ...{ 'Deal owner': 'owner', Pipeline: NOTHING, 'Deal Type': 'type' },
      ...{ 'Associated Company': 'company', 'Associated Contact': 'contact' },
      ...{ 'Deal Description': 'description', 'Deal probability': 'probability' },
    },
  },
  {
    product: 'HubSpot',
    subject: 'tasks',
    columns: {
      ...HUBSPOT,
      ...{ 'Task Title': 'name', 'Task Status': 'status', 'Task Type': 'type', 'Due Date': 'due' },
      ...{ Priority: 'priority', 'Assigned to': 'owner', 'Task Notes': 'description' },
      ...{ 'Associated Company': 'company', 'Associated Contact': 'contact' },
    },
  },
];

/** Common to the exports of Salesforce by its interface; reports have the labels. */
const SALESFORCE: Preset['columns'] = {
  ...{ Id: NOTHING, OwnerId: NOTHING, IsDeleted: NOTHING, SystemModstamp: NOTHING },
  ...{ CreatedDate: 'createdAt', LastModifiedDate: 'updatedAt', CreatedById: NOTHING },
};

const SALESFORCE_PRESETS: readonly Preset[] = [
  {
    product: 'Salesforce',
    subject: 'companies',
    columns: {
      ...SALESFORCE,
      ...{ Name: 'name', Type: 'type', ParentId: NOTHING, Phone: 'phone', Fax: NOTHING },
      ...{ BillingStreet: 'street', BillingCity: 'city', BillingState: 'region' },
      ...{ BillingPostalCode: 'postalCode', BillingCountry: 'country', Website: 'website' },
      ...{ AccountNumber: NOTHING, Industry: 'industry', AnnualRevenue: 'revenue' },
      ...{ NumberOfEmployees: 'employees', Description: 'description', AccountSource: 'source' },
    },
  },
  {
    product: 'Salesforce',
    subject: 'contacts',
    columns: {
      ...SALESFORCE,
      ...{ AccountId: NOTHING, FirstName: 'firstName', LastName: 'lastName', Salutation: NOTHING },
      ...{ Name: 'name', Email: 'email', Phone: 'phone', MobilePhone: 'mobile', Title: 'jobTitle' },
      ...{
        Department: NOTHING,
        LeadSource: 'source',
        MailingCity: 'city',
        MailingStreet: 'street',
      },
      ...{ MailingPostalCode: 'postalCode', MailingCountry: 'country' },
    },
  },
  {
    product: 'Salesforce',
    subject: 'deals',
    columns: {
      ...SALESFORCE,
      ...{ AccountId: NOTHING, Name: 'name', StageName: 'status', Amount: 'amount' },
      ...{ Probability: 'probability', CloseDate: 'closes', Type: 'type', NextStep: NOTHING },
      ...{ LeadSource: 'source', IsClosed: NOTHING, IsWon: NOTHING, Description: 'description' },
    },
  },
  {
    product: 'Salesforce',
    subject: 'tasks',
    columns: {
      ...SALESFORCE,
      ...{ WhoId: NOTHING, WhatId: NOTHING, Subject: 'name', ActivityDate: 'due' },
      ...{ Status: 'status', Priority: 'priority', Description: 'description', IsClosed: NOTHING },
    },
  },
  {
    product: 'Salesforce',
    subject: 'deals',
    columns: {
      ...{ 'Opportunity Name': 'name', 'Account Name': 'company', Stage: 'status' },
      ...{ Amount: 'amount', 'Close Date': 'closes', 'Opportunity Owner': 'owner' },
      ...{ 'Probability (%)': 'probability', 'Created Date': 'createdAt', 'Next Step': NOTHING },
      ...{ 'Lead Source': 'source', Type: 'type', 'Fiscal Period': NOTHING },
    },
  },
];

const PIPEDRIVE_PRESETS: readonly Preset[] = [
  {
    product: 'Pipedrive',
    subject: 'companies',
    columns: {
      ...{ 'Organization - Name': 'name', 'Organization - Owner': 'owner' },
      ...{ 'Organization - Address': 'street', 'Organization - Label': NOTHING },
      ...{ 'Organization - People': NOTHING, 'Organization - Open deals': NOTHING },
      ...{
        'Organization - Organization created': 'createdAt',
        'Organization - Website': 'website',
      },
      ...{ 'Organization - Industry': 'industry', 'Organization - Annual revenue': 'revenue' },
      ...{ 'Organization - Number of employees': 'employees' },
    },
  },
  {
    product: 'Pipedrive',
    subject: 'contacts',
    columns: {
      ...{ 'Person - Name': 'name', 'Person - Organization': 'company', 'Person - Owner': 'owner' },
      ...{ 'Person - Email - Work': 'email', 'Person - Phone - Work': 'phone' },
      ...{ 'Person - Phone - Mobile': 'mobile', 'Person - Job title': 'jobTitle' },
      ...{ 'Person - Open deals': NOTHING, 'Person - Label': NOTHING },
      ...{ 'Person - Person created': 'createdAt' },
    },
  },
  {
    product: 'Pipedrive',
    subject: 'deals',
    columns: {
      ...{ 'Deal - Title': 'name', 'Deal - Value': 'amount', 'Deal - Organization': 'company' },
      ...{ 'Deal - Contact person': 'contact', 'Deal - Stage': 'status', 'Deal - Owner': 'owner' },
      ...{ 'Deal - Expected close date': 'closes', 'Deal - Pipeline': NOTHING },
      ...{ 'Deal - Status': NOTHING, 'Deal - Currency of Value': NOTHING, 'Deal - Label': NOTHING },
      ...{ 'Deal - Deal created': 'createdAt', 'Deal - Probability': 'probability' },
    },
  },
  {
    product: 'Pipedrive',
    subject: 'tasks',
    columns: {
      ...{ 'Activity - Subject': 'name', 'Activity - Type': 'type', 'Activity - Due date': 'due' },
      ...{
        'Activity - Due time': NOTHING,
        'Activity - Done': 'status',
        'Activity - Note': 'description',
      },
      ...{ 'Activity - Assigned to user': 'owner', 'Activity - Organization': 'company' },
      ...{ 'Activity - Contact person': 'contact', 'Activity - Deal': 'deal' },
      ...{ 'Activity - Priority': 'priority' },
    },
  },
];

/** Tables of Airtable have the headings that people give them: these are those of its template for sales. */
const AIRTABLE_PRESETS: readonly Preset[] = [
  {
    product: 'Airtable',
    subject: 'companies',
    columns: {
      ...{ Name: 'name', Industry: 'industry', Size: 'employees', 'HQ address': 'street' },
      ...{ 'Company website': 'website', 'Company LinkedIn': NOTHING, Contacts: NOTHING },
      ...{ Opportunities: NOTHING },
    },
  },
  {
    product: 'Airtable',
    subject: 'contacts',
    columns: {
      ...{ Name: 'name', Title: 'jobTitle', Department: NOTHING, Account: 'company' },
      ...{ Email: 'email', Phone: 'phone', LinkedIn: NOTHING, VIP: NOTHING },
      ...{ Opportunities: NOTHING, Interactions: NOTHING },
    },
  },
  {
    product: 'Airtable',
    subject: 'deals',
    columns: {
      ...{ 'Opportunity name': 'name', Status: 'status', Priority: 'priority', Owner: 'owner' },
      ...{ 'Estimated value': 'amount', Account: 'company', 'Primary contact': 'contact' },
      ...{ 'Expected close date': 'closes', 'Last contact': NOTHING, Source: 'source' },
      ...{ 'Proposal deadline': NOTHING, Interactions: NOTHING },
    },
  },
  {
    product: 'Airtable',
    subject: 'tasks',
    columns: {
      ...{ Name: 'name', Notes: 'description', Assignee: 'owner', Status: 'status' },
      ...{ 'Due date': 'due', Attachments: NOTHING, 'Attachment Summary': NOTHING },
    },
  },
];

const PRESETS: readonly Preset[] = [
  ...HUBSPOT_PRESETS,
  ...SALESFORCE_PRESETS,
  ...PIPEDRIVE_PRESETS,
  ...AIRTABLE_PRESETS,
];

/** So many headings of a file are those of the preset, of which at least this share is there. */
const FEWEST = 4;
const SHARE = 0.6;

/** The preset whose headings the file has; undefined: no product is recognised. */
export function findPreset(headings: readonly string[]): Preset | undefined {
  const plain = headings.map(plainName);
  const scored = PRESETS.map((preset) => {
    const names = new Set(Object.keys(preset.columns).map(plainName));
    const found = plain.filter((name) => names.has(name)).length;
    return { preset, found, share: found / Math.max(1, plain.length) };
  }).filter(({ found, share }) => found >= FEWEST && share >= SHARE);
  const [best] = scored.toSorted((one, other) => other.found - one.found);
  return best?.preset;
}

/** The meaning of a column of the preset; null: no record here has it; undefined: it is none of its columns. */
export function presetConcept(preset: Preset, heading: string): Concept | null | undefined {
  const plain = plainName(heading);
  const name = Object.keys(preset.columns).find((one) => plainName(one) === plain);
  return name === undefined ? undefined : (preset.columns[name] ?? null);
}
