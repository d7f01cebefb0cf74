import { salesFlow } from '#modules/trade/sales/sales-flow.ts'
import { FlowPage } from '#web/flow/FlowPage.tsx'

/** 销售导航. */
export default function SalesFlowPage() {
  return <FlowPage flow={salesFlow} />
}
