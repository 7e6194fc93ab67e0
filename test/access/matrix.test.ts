// The access matrix in short: every route for a person who may do everything, one with some rights on their own
// records only, and one without rights. matrix.full.test.ts covers everybody.

import { PERSONAS } from './definition.ts';
import { tryMatrix } from './matrix.ts';

const NAMES = ['assigner-org_all', 'own_all-none', 'nil-none'];

tryMatrix({ people: PERSONAS.filter(({ name }) => NAMES.includes(name)), nth: 57, least: 700 });
