import { numberEdit } from '../number/edit.tsx';

export const integer = numberEdit('edit.notWhole');
