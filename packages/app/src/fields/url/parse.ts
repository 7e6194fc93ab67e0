export { email as url } from '../email/parse.ts';
