export { default } from '../features/plans/revisions-page.tsx';
