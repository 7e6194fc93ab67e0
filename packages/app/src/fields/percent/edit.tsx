import { numberEdit } from '../number/edit.tsx';

export const percent = numberEdit('edit.notNumber');
