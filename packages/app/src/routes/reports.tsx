import { Dashboards, NewDashboard } from '../features/dashboard/dashboards.tsx';
import { ReportsPage } from '../features/reports/reports-page.tsx';

export default function ReportsRoute() {
  return <ReportsPage dashboards={<Dashboards />} newDashboard={<NewDashboard />} />;
}
