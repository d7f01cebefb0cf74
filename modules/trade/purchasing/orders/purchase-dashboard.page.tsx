import { purchaseFlow } from '#modules/trade/purchasing/orders/purchase-dashboard.ts'
import { FlowPage } from '#web/flow/FlowPage.tsx'

/** 采购导航. */
export default function PurchaseFlowPage() {
  return <FlowPage flow={purchaseFlow} />
}
