export { default } from '../features/reports/report-page.tsx';
