// Exports of address books: Google contacts, Outlook contacts, connections of LinkedIn. Most have no ids: people are
// matched by their addresses.

import { type Preset, preset } from './preset.ts';

const GOOGLE_OTHERS = [
  ...['Middle Name', 'Phonetic First Name', 'Phonetic Middle Name', 'Phonetic Last Name'],
  ...['Name Prefix', 'Name Suffix', 'Nickname', 'File As', 'Birthday', 'Photo', 'Labels'],
  ...['Organization Department', 'E-mail 1 - Label', 'E-mail 2 - Label', 'E-mail 2 - Value'],
  ...['Phone 1 - Label', 'Phone 2 - Label', 'Phone 2 - Value', 'Additional Name', 'Yomi Name'],
  ...['Group Membership', 'E-mail 1 - Type', 'Phone 1 - Type', 'Initials', 'Short Name', 'Gender'],
];

export const PEOPLE_PRESETS: readonly Preset[] = [
  preset(
    'Google contacts',
    'contacts',
    {
      ...{ firstName: ['First Name', 'Given Name'], lastName: ['Last Name', 'Family Name'] },
      ...{ name: 'Name', email: 'E-mail 1 - Value', phone: 'Phone 1 - Value' },
      ...{ company: ['Organization Name', 'Organization 1 - Name'], description: 'Notes' },
      ...{ jobTitle: ['Organization Title', 'Organization 1 - Title'] },
      ...{ street: 'Address 1 - Street', city: 'Address 1 - City', country: 'Address 1 - Country' },
      ...{ postalCode: 'Address 1 - Postal Code', website: 'Website 1 - Value' },
    },
    GOOGLE_OTHERS,
  ),
  preset(
    'Outlook contacts',
    'contacts',
    {
      ...{ firstName: 'First Name', lastName: 'Last Name', company: 'Company' },
      ...{ jobTitle: 'Job Title', email: 'E-mail Address', mobile: 'Mobile Phone' },
      ...{ phone: ['Business Phone', 'Primary Phone'], description: 'Notes', website: 'Web Page' },
      ...{ street: 'Business Street', city: 'Business City', region: 'Business State' },
      ...{ postalCode: 'Business Postal Code', country: 'Business Country/Region' },
    },
    [
      ...['Title', 'Middle Name', 'Suffix', 'Department', 'Home Phone', 'Business Fax', 'Birthday'],
      ...['E-mail Type', 'E-mail Display Name', 'Categories', 'Anniversary', 'Priority', 'Private'],
      ...['Home Street', 'Home City', 'Home State', 'Home Postal Code', 'Home Country/Region'],
      ...['E-mail 2 Address', "Assistant's Phone", 'Company Main Phone', 'Sensitivity', 'Nickname'],
    ],
  ),
  preset(
    'LinkedIn',
    'contacts',
    {
      ...{ firstName: 'First Name', lastName: 'Last Name', sourceId: 'URL' },
      ...{ email: 'Email Address', company: 'Company', jobTitle: 'Position' },
    },
    ['Connected On'],
  ),
];
