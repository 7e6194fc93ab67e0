export { default } from '../features/plans/job-page.tsx';
