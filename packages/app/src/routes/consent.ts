export { default } from '../features/keys/consent-page.tsx';
