export { text as url } from '../text/filter.tsx';
