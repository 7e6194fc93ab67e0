// Exports of programs for work and tables: Airtable, Notion, Monday, Asana, Jira, Trello. Tables of Airtable, Notion and
// Monday have the headings that people give them: these are those of their templates.

import { type Preset, preset } from './preset.ts';

export const WORK_PRESETS: readonly Preset[] = [
  preset(
    'Airtable',
    'companies',
    {
      ...{ name: 'Name', industry: 'Industry', employees: 'Size', street: 'HQ address' },
      website: 'Company website',
    },
    ['Company LinkedIn', 'Contacts', 'Opportunities'],
  ),
  preset(
    'Airtable',
    'contacts',
    { name: 'Name', jobTitle: 'Title', company: 'Account', email: 'Email', phone: 'Phone' },
    ['Department', 'LinkedIn', 'VIP', 'Opportunities', 'Interactions'],
  ),
  preset(
    'Airtable',
    'deals',
    {
      ...{ name: 'Opportunity name', status: 'Status', priority: 'Priority', owner: 'Owner' },
      ...{ amount: 'Estimated value', company: 'Account', contact: 'Primary contact' },
      ...{ closes: 'Expected close date', source: 'Source' },
    },
    ['Last contact', 'Proposal deadline', 'Interactions'],
  ),
  preset(
    'Airtable',
    'tasks',
    { name: 'Name', description: 'Notes', owner: 'Assignee', status: 'Status', due: 'Due date' },
    ['Attachments', 'Attachment Summary'],
  ),
  preset(
    'Notion',
    'tasks',
    {
      ...{
        name: 'Task name',
        status: 'Status',
        owner: ['Assignee', 'Assign'],
        priority: 'Priority',
      },
      ...{ due: ['Due date', 'Due'], type: 'Task type', description: 'Description' },
      parent: 'Parent-task',
    },
    ['Effort level', 'Sub-tasks', 'Project', 'Attach file', 'Tags'],
  ),
  preset(
    'Monday',
    'tasks',
    {
      ...{ sourceId: 'Item ID (auto generated)', name: 'Name', owner: ['Person', 'Owner'] },
      ...{ status: 'Status', due: ['Due date', 'Date'], priority: 'Priority' },
      description: ['Notes', 'Text'],
    },
    ['Subitems', 'Files', 'Timeline - Start', 'Timeline - End', 'Last updated', 'Group'],
  ),
  preset(
    'Asana',
    'tasks',
    {
      ...{ sourceId: 'Task ID', createdAt: 'Created At', updatedAt: 'Last Modified', name: 'Name' },
      ...{
        status: 'Section/Column',
        owner: 'Assignee Email',
        due: 'Due Date',
        description: 'Notes',
      },
      parent: 'Parent task',
    },
    [
      ...['Completed At', 'Assignee', 'Start Date', 'Tags', 'Projects'],
      ...['Blocked By (Dependencies)', 'Blocking (Dependencies)'],
    ],
  ),
  preset(
    'Jira',
    'tasks',
    {
      ...{ sourceId: 'Issue key', name: 'Summary', type: 'Issue Type', status: 'Status' },
      ...{ priority: 'Priority', owner: 'Assignee', createdAt: 'Created', updatedAt: 'Updated' },
      ...{ due: 'Due date', description: 'Description', parent: ['Parent', 'Parent id'] },
    },
    [
      ...['Issue id', 'Project key', 'Project name', 'Project type', 'Project lead', 'Resolution'],
      ...['Reporter', 'Creator', 'Reporter Id', 'Creator Id', 'Assignee Id', 'Last Viewed'],
      ...['Resolved', 'Votes', 'Watchers', 'Labels', 'Sprint', 'Environment', 'Comment'],
      ...['Original estimate', 'Remaining Estimate', 'Time Spent', 'Work Ratio', 'Attachment'],
      ...['Affects versions', 'Fix versions', 'Components', 'Security Level', 'Status Category'],
    ],
  ),
  preset(
    'Trello',
    'tasks',
    {
      ...{ sourceId: ['Card ID', 'ID'], name: ['Card Name', 'Name'] },
      ...{ description: ['Card Description', 'Description'], owner: 'Members' },
      ...{ due: ['Due Date', 'Due'], status: ['List Name', 'List'] },
    },
    [
      // Of boards as JSON.
      ...['Start', 'Complete', 'URL', 'Last activity'],
      ...['Card URL', 'Labels', 'Attachment Count', 'Attachment Links', 'Start Date', 'Archived'],
      ...['Checklist Item Total Count', 'Checklist Item Completed Count', 'Vote Count', 'List ID'],
      ...['Comment Count', 'Last Activity Date', 'Board ID', 'Board Name', 'Due Complete'],
    ],
  ),
];
