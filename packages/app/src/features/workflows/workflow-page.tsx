// A workflow.
export default function WorkflowPage() {
  return null;
}
