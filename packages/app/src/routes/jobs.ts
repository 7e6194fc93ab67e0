export { default } from '../features/jobs/jobs-page.tsx';
