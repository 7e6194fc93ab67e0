export { default } from '../features/teams/teams-page.tsx';
