import { numberEdit } from '../number/edit.tsx';

export const currency = numberEdit('edit.notNumber');
