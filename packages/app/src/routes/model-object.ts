export { default } from '../features/model/object-page.tsx';
