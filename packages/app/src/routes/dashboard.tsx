import { DashboardPage } from '../features/dashboard/dashboard-page.tsx';
import ReportTile from '../features/reports/report-tile.tsx';

export default function DashboardRoute() {
  return <DashboardPage Report={ReportTile} />;
}
