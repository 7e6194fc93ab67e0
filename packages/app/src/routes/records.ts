export { default } from '../features/records/records-page.tsx';
