export { default } from '../features/record/record-page.tsx';
