// The meaning of columns and fields of usual objects, by their names: `Account Name` finds `company_id`. Pure.

import { folded } from './folded.ts';

/** Words that mean the same, without spaces and signs. Earlier ones fit better. */
const WORDS = {
  name: ['name', 'fullname', 'title', 'bezeichnung', 'subject', 'titel', 'betreff', 'summary'],
  firstName: ['firstname', 'givenname', 'vorname'],
  lastName: ['lastname', 'surname', 'familyname', 'nachname'],
  email: [
    'email',
    'emailaddress',
    'mail',
    'emailwork',
    'workemail',
    'emailadresse',
    'primaryemail',
  ],
  phone: ['phone', 'phonenumber', 'telephone', 'telefon', 'tel', 'phonework', 'workphone'],
  mobile: ['mobile', 'mobilephone', 'mobilephonenumber', 'handy', 'phonemobile', 'mobil'],
  company: [
    ...['company', 'companyname', 'account', 'accountname', 'organization', 'organisation'],
    ...['organizationname', 'associatedcompany', 'primarycompany', 'firma', 'unternehmen'],
    ...['customer', 'kunde', 'accountid', 'companyid'],
  ],
  contact: [
    ...['contact', 'contactname', 'person', 'contactperson', 'primarycontact', 'associatedcontact'],
    ...['ansprechpartner', 'kontakt', 'contactid'],
  ],
  deal: ['deal', 'dealname', 'opportunity', 'opportunityname', 'associateddeal', 'dealid'],
  product: ['product', 'productname', 'item', 'produkt', 'article', 'artikel', 'productid'],
  owner: [
    ...['owner', 'owneruserid', 'recordowner', 'assignedto', 'assignee', 'assignedtouser'],
    ...['salesagent', 'accountowner', 'verantwortlich', 'zustaendig', 'manager'],
  ],
  jobTitle: ['jobtitle', 'position', 'role', 'jobposition', 'funktion'],
  website: ['website', 'websiteurl', 'url', 'companywebsite', 'homepage', 'webseite', 'web'],
  domain: ['domain', 'companydomainname', 'domainname'],
  industry: ['industry', 'sector', 'branche'],
  employees: ['employees', 'numberofemployees', 'size', 'companysize', 'mitarbeiter', 'headcount'],
  revenue: ['revenue', 'annualrevenue', 'umsatz', 'turnover'],
  amount: [
    ...['amount', 'value', 'dealvalue', 'estimatedvalue', 'closevalue', 'betrag', 'wert', 'price'],
  ],
  closes: [
    ...['closedate', 'expectedclosedate', 'closeson', 'closingdate', 'abschlussdatum'],
    ...['expectedclose', 'proposaldeadline'],
  ],
  status: [
    'status',
    'stage',
    'dealstage',
    'stagename',
    'phase',
    'state',
    'taskstatus',
    'customstatusid',
  ],
  priority: ['priority', 'prioritaet', 'prio'],
  due: ['duedate', 'due', 'deadline', 'faelligam', 'activitydate', 'faelligkeitsdatum'],
  description: [
    'description',
    'notes',
    'note',
    'details',
    'beschreibung',
    'notizen',
    'tasknotes',
    'body',
  ],
  birthday: ['birthday', 'birthdate', 'dateofbirth', 'geburtstag', 'geburtsdatum'],
  city: ['city', 'billingcity', 'ort', 'stadt', 'town'],
  street: [
    'street',
    'streetaddress',
    'billingstreet',
    'address',
    'strasse',
    'adresse',
    'hqaddress',
  ],
  postalCode: ['postalcode', 'zip', 'zipcode', 'billingpostalcode', 'plz'],
  region: ['region', 'stateregion', 'billingstate', 'bundesland', 'province'],
  country: ['country', 'countryregion', 'billingcountry', 'land', 'officelocation'],
  type: ['type', 'workitemtypeid', 'kind', 'tasktype', 'typ', 'art'],
  source: ['source', 'leadsource', 'origin', 'quelle', 'herkunft'],
  parent: [
    'parent',
    'parentworkitemid',
    'parentid',
    'subsidiaryof',
    'parentcompany',
    'parentaccount',
  ],
  createdAt: [
    ...['createdat', 'createdate', 'createddate', 'created', 'created', 'angelegtam', 'addtime'],
    ...['creationdate', 'erstelltam', 'dealcreated', 'createdtime'],
  ],
  updatedAt: [
    'updatedat',
    'lastmodifieddate',
    'lastmodified',
    'updated',
    'geaendertam',
    'updatetime',
  ],
  probability: ['probability', 'probabilitypercent', 'wahrscheinlichkeit'],
  id: ['id', 'recordid'],
  /** The id of a record in the program that wrote the file. */
  sourceId: ['sourceid', 'externalid'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Concept = keyof typeof WORDS;

const BY_WORD: ReadonlyMap<string, Concept> = new Map(
  (Object.entries(WORDS) as [Concept, readonly string[]][])
    .toReversed()
    .flatMap(([concept, words]) => words.map((word) => [word, concept] as const)),
);

const LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** Letters and digits alone: `Deal – Owner` and `deal_owner` are one. */
export function plainName(text: string): string {
  return folded(text)
    .replaceAll(/[äöüß]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Undefined: a name of its own. */
export function conceptOf(name: string): Concept | undefined {
  const plain = plainName(name);
  return BY_WORD.get(plain) ?? BY_WORD.get(plain.replace(/id$/, ''));
}
