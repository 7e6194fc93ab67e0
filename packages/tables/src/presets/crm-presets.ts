// Exports of programs for customers: HubSpot, Salesforce, Pipedrive, Zoho, Attio.

import { type Preset, preset } from './preset.ts';

const hubspot = {
  ...{ sourceId: 'Record ID', createdAt: 'Create Date', phone: 'Phone Number' },
} as const;
const HUBSPOT_OTHERS = ['Last Activity Date', 'Lead Status', 'Lifecycle Stage'];

/** Columns of exports by the interface; reports have the labels. */
const salesforce = {
  ...{ sourceId: 'Id', createdAt: 'CreatedDate', updatedAt: 'LastModifiedDate' },
} as const;
const SALESFORCE_OTHERS = ['OwnerId', 'IsDeleted', 'SystemModstamp', 'CreatedById'];

/** Further columns of reports. */
const REPORT_OTHERS = ['Last Activity', 'Last Modified By', 'Created By', 'Created Alias'];

const zoho = {
  ...{ sourceId: 'Record Id', createdAt: 'Created Time', updatedAt: 'Modified Time' },
  ...{ description: 'Description' },
} as const;
const ZOHO_OTHERS = ['Created By', 'Modified By', 'Currency', 'Exchange Rate', 'Tag', 'Rating'];

export const CRM_PRESETS: readonly Preset[] = [
  preset(
    'HubSpot',
    'companies',
    {
      ...hubspot,
      ...{ name: 'Company name', owner: 'Company owner', city: 'City', country: 'Country/Region' },
      ...{ industry: 'Industry', domain: 'Company Domain Name', website: 'Website URL' },
      ...{
        description: 'Description',
        employees: 'Number of Employees',
        revenue: 'Annual Revenue',
      },
      ...{ street: 'Street Address', postalCode: 'Postal Code', region: 'State/Region' },
      parent: 'Parent Company',
    },
    HUBSPOT_OTHERS,
  ),
  preset(
    'HubSpot',
    'contacts',
    {
      ...hubspot,
      ...{ firstName: 'First Name', lastName: 'Last Name', email: 'Email', owner: 'Contact owner' },
      ...{ mobile: 'Mobile Phone Number', jobTitle: 'Job Title' },
      company: ['Associated Company', 'Primary Company', 'Company name'],
    },
    [...HUBSPOT_OTHERS, 'Marketing contact status'],
  ),
  preset(
    'HubSpot',
    'deals',
    {
      ...hubspot,
      ...{ name: 'Deal Name', status: 'Deal Stage', closes: 'Close Date', amount: 'Amount' },
      ...{ owner: 'Deal owner', type: 'Deal Type', company: 'Associated Company' },
      ...{ contact: 'Associated Contact', description: 'Deal Description' },
      probability: 'Deal probability',
    },
    [...HUBSPOT_OTHERS, 'Pipeline'],
  ),
  preset(
    'HubSpot',
    'tasks',
    {
      ...hubspot,
      ...{ name: 'Task Title', status: 'Task Status', type: 'Task Type', due: 'Due Date' },
      ...{ priority: 'Priority', owner: 'Assigned to', description: 'Task Notes' },
      ...{ company: 'Associated Company', contact: 'Associated Contact' },
    },
    HUBSPOT_OTHERS,
  ),
  preset(
    'Salesforce',
    'companies',
    {
      ...salesforce,
      ...{
        name: 'Name',
        type: 'Type',
        phone: 'Phone',
        street: 'BillingStreet',
        city: 'BillingCity',
      },
      ...{ region: 'BillingState', postalCode: 'BillingPostalCode', country: 'BillingCountry' },
      ...{ website: 'Website', industry: 'Industry', revenue: 'AnnualRevenue' },
      ...{ employees: 'NumberOfEmployees', description: 'Description', source: 'AccountSource' },
    },
    [...SALESFORCE_OTHERS, 'ParentId', 'Fax', 'AccountNumber'],
  ),
  preset(
    'Salesforce',
    'contacts',
    {
      ...salesforce,
      ...{ firstName: 'FirstName', lastName: 'LastName', name: 'Name', email: 'Email' },
      ...{ phone: 'Phone', mobile: 'MobilePhone', jobTitle: 'Title', source: 'LeadSource' },
      ...{ city: 'MailingCity', street: 'MailingStreet', postalCode: 'MailingPostalCode' },
      country: 'MailingCountry',
    },
    [...SALESFORCE_OTHERS, 'AccountId', 'Salutation', 'Department'],
  ),
  preset(
    'Salesforce',
    'deals',
    {
      ...salesforce,
      ...{ name: 'Name', status: 'StageName', amount: 'Amount', probability: 'Probability' },
      ...{ closes: 'CloseDate', type: 'Type', source: 'LeadSource', description: 'Description' },
    },
    [...SALESFORCE_OTHERS, 'AccountId', 'NextStep', 'IsClosed', 'IsWon'],
  ),
  preset(
    'Salesforce',
    'tasks',
    {
      ...salesforce,
      ...{ name: 'Subject', due: 'ActivityDate', status: 'Status', priority: 'Priority' },
      description: 'Description',
    },
    [...SALESFORCE_OTHERS, 'WhoId', 'WhatId', 'IsClosed'],
  ),
  preset(
    'Salesforce',
    'deals',
    {
      ...{ name: 'Opportunity Name', company: 'Account Name', status: 'Stage', amount: 'Amount' },
      ...{ closes: 'Close Date', owner: 'Opportunity Owner', probability: 'Probability (%)' },
      ...{ createdAt: 'Created Date', source: 'Lead Source', type: 'Type' },
      sourceId: 'Opportunity ID',
    },
    ['Next Step', 'Fiscal Period'],
  ),
  preset(
    'Salesforce',
    'companies',
    {
      ...{ sourceId: 'Account ID', name: 'Account Name', owner: 'Account Owner', type: 'Type' },
      ...{ street: 'Billing Street', city: 'Billing City', region: 'Billing State/Province' },
      ...{ postalCode: 'Billing Zip/Postal Code', country: 'Billing Country', phone: 'Phone' },
      ...{ website: 'Website', industry: 'Industry', revenue: 'Annual Revenue' },
      ...{ employees: 'Employees', parent: 'Parent Account', source: 'Account Source' },
      ...{ createdAt: 'Created Date', updatedAt: 'Last Modified Date', description: 'Description' },
    },
    [...REPORT_OTHERS, 'Account Number', 'Fax', 'Rating', 'Ownership'],
  ),
  preset(
    'Salesforce',
    'contacts',
    {
      ...{ sourceId: 'Contact ID', firstName: 'First Name', lastName: 'Last Name', email: 'Email' },
      ...{ company: 'Account Name', jobTitle: 'Title', phone: 'Phone', mobile: 'Mobile' },
      ...{ owner: 'Contact Owner', source: 'Lead Source', street: 'Mailing Street' },
      ...{ city: 'Mailing City', region: 'Mailing State/Province', country: 'Mailing Country' },
      ...{ postalCode: 'Mailing Zip/Postal Code', createdAt: 'Created Date' },
      ...{ updatedAt: 'Last Modified Date', birthday: 'Birthdate' },
    },
    [...REPORT_OTHERS, 'Salutation', 'Department', 'Account ID', 'Account Owner', 'Fax'],
  ),
  preset(
    'Pipedrive',
    'companies',
    {
      ...{ sourceId: 'Organization - ID', name: 'Organization - Name' },
      ...{ owner: 'Organization - Owner', street: 'Organization - Address' },
      ...{ createdAt: 'Organization - Organization created', website: 'Organization - Website' },
      ...{ industry: 'Organization - Industry', revenue: 'Organization - Annual revenue' },
      employees: 'Organization - Number of employees',
    },
    ['Organization - Label', 'Organization - People', 'Organization - Open deals'],
  ),
  preset(
    'Pipedrive',
    'contacts',
    {
      ...{ sourceId: 'Person - ID', name: 'Person - Name', company: 'Person - Organization' },
      ...{
        owner: 'Person - Owner',
        email: 'Person - Email - Work',
        phone: 'Person - Phone - Work',
      },
      ...{ mobile: 'Person - Phone - Mobile', jobTitle: 'Person - Job title' },
      createdAt: 'Person - Person created',
    },
    ['Person - Open deals', 'Person - Label'],
  ),
  preset(
    'Pipedrive',
    'deals',
    {
      ...{ sourceId: 'Deal - ID', name: 'Deal - Title', amount: 'Deal - Value' },
      ...{ company: 'Deal - Organization', contact: 'Deal - Contact person' },
      ...{ status: 'Deal - Stage', owner: 'Deal - Owner', closes: 'Deal - Expected close date' },
      ...{ createdAt: 'Deal - Deal created', probability: 'Deal - Probability' },
    },
    ['Deal - Pipeline', 'Deal - Status', 'Deal - Currency of Value', 'Deal - Label'],
  ),
  preset(
    'Pipedrive',
    'tasks',
    {
      ...{ sourceId: 'Activity - ID', name: 'Activity - Subject', type: 'Activity - Type' },
      ...{ due: 'Activity - Due date', status: 'Activity - Done', description: 'Activity - Note' },
      ...{ owner: 'Activity - Assigned to user', company: 'Activity - Organization' },
      ...{ contact: 'Activity - Contact person', deal: 'Activity - Deal' },
      priority: 'Activity - Priority',
    },
    ['Activity - Due time'],
  ),
  preset(
    'Zoho',
    'companies',
    {
      ...zoho,
      ...{ name: 'Account Name', owner: 'Account Owner', phone: 'Phone', website: 'Website' },
      ...{ industry: 'Industry', revenue: 'Annual Revenue', employees: 'Employees' },
      ...{ street: 'Billing Street', city: 'Billing City', region: 'Billing State' },
      ...{ postalCode: 'Billing Code', country: 'Billing Country', type: 'Account Type' },
      parent: 'Parent Account',
    },
    [...ZOHO_OTHERS, 'Account Number', 'Account Site', 'Fax', 'Ownership', 'SIC Code'],
  ),
  preset(
    'Zoho',
    'contacts',
    {
      ...zoho,
      ...{ owner: 'Contact Owner', firstName: 'First Name', lastName: 'Last Name', email: 'Email' },
      ...{ company: 'Account Name', phone: 'Phone', mobile: 'Mobile', jobTitle: 'Title' },
      ...{ source: 'Lead Source', street: 'Mailing Street', city: 'Mailing City' },
      ...{ postalCode: 'Mailing Zip', country: 'Mailing Country', region: 'Mailing State' },
    },
    [...ZOHO_OTHERS, 'Full Name', 'Department', 'Salutation', 'Email Opt Out', 'Fax'],
  ),
  preset(
    'Zoho',
    'deals',
    {
      ...zoho,
      ...{
        owner: 'Deal Owner',
        name: 'Deal Name',
        company: 'Account Name',
        contact: 'Contact Name',
      },
      ...{ status: 'Stage', amount: 'Amount', closes: 'Closing Date', type: 'Type' },
      ...{ probability: 'Probability (%)', source: 'Lead Source' },
    },
    [...ZOHO_OTHERS, 'Next Step', 'Expected Revenue', 'Campaign Source', 'Pipeline'],
  ),
  preset(
    'Zoho',
    'tasks',
    {
      ...zoho,
      ...{ owner: 'Task Owner', name: 'Subject', due: 'Due Date', status: 'Status' },
      ...{ priority: 'Priority', contact: 'Contact Name' },
    },
    [...ZOHO_OTHERS, 'Related To', 'Closed Time'],
  ),
  preset(
    'Attio',
    'companies',
    {
      ...{ sourceId: 'Record ID', name: ['Record', 'Company'], domain: 'Domains' },
      ...{ description: 'Description', industry: 'Categories', employees: 'Employee range' },
      ...{ revenue: 'Estimated ARR', city: 'Primary location > City', createdAt: 'Created at' },
      country: 'Primary location > Country code',
    },
    ['Team', 'LinkedIn', 'Connection strength', 'Twitter', 'Foundation date', 'Associated deals'],
  ),
  preset(
    'Attio',
    'contacts',
    {
      ...{ sourceId: 'Record ID', name: ['Record', 'Person'], email: 'Email addresses' },
      ...{ jobTitle: 'Job title', company: 'Company', phone: 'Phone numbers' },
      ...{ description: 'Description', city: 'Primary location > City', createdAt: 'Created at' },
      country: 'Primary location > Country code',
    },
    ['LinkedIn', 'Connection strength', 'Twitter', 'Associated deals', 'Avatar URL'],
  ),
  preset('Attio', 'deals', {
    ...{ sourceId: 'Record ID', name: ['Record', 'Deal name'], status: 'Deal stage' },
    ...{ owner: 'Deal owner', amount: 'Deal value', contact: 'Associated people' },
    ...{ company: 'Associated company', createdAt: 'Created at' },
  }),
];
