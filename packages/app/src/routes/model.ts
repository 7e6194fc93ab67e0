export { default } from '../features/model/model-page.tsx';
