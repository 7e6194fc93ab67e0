export { email as phone } from '../email/parse.ts';
