export { default } from '../features/people/person-page.tsx';
