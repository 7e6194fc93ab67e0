// The form in which texts are compared with what a person types.

export { folded } from '../../../tables/src/folded.ts';
