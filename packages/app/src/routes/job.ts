export { default } from '../features/jobs/job-page.tsx';
