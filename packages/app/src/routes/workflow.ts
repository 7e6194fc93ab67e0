export { default } from '../features/workflows/workflow-page.tsx';
