export { default } from '../features/keys/keys-page.tsx';
