export { default } from '../features/plans/review-page.tsx';
