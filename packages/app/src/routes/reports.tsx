import { Dashboards, NewDashboard } from '../features/dashboard/dashboards.tsx';
import { ReportSketch } from '../features/reports/report-sketch.tsx';
import { ReportsPage } from '../features/reports/reports-page.tsx';

export default function ReportsRoute() {
  return (
    <ReportsPage
      dashboards={<Dashboards Sketch={ReportSketch} />}
      newDashboard={<NewDashboard />}
    />
  );
}
