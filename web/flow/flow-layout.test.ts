import { describe, expect, it } from 'vitest'
import { purchaseFlow } from '#modules/trade/purchasing/orders/purchase-dashboard.ts'
import { salesFlow } from '#modules/trade/sales/sales-flow.ts'
import { edgePath, placedSteps } from '#web/flow/flow-layout.ts'

const flows = [purchaseFlow, salesFlow]
const all = (flow: (typeof flows)[number]) => new Set(flow.steps.map(step => step.kind))
const leads = (flow: (typeof flows)[number], kinds: ReadonlySet<string>) =>
  Object.fromEntries(placedSteps(flow.steps, kinds).map(({ step, after }) => [step.kind, after]))

describe('a chart of a process', () => {
  it('branches as the business does: an order follows a plan or a price; goods come with inspection or without', () => {
    expect(leads(purchaseFlow, all(purchaseFlow))).toMatchObject({
      purchaseOrder: ['purchasePlan', 'priceRegistration'],
      purchaseGrn: ['purchaseOrder', 'inspectionOrder'],
      purchaseReturn: ['purchaseGrn', 'inspectionQualityLine'],
    })
    expect(leads(salesFlow, all(salesFlow))).toMatchObject({
      saleOdo: ['salesOrder', 'advanceSale'],
      odoInvoiceSearch: ['saleOdo', 'saleReturn'],
    })
  })

  it('has one step in each place, leads nowhere backwards, and knows every step it names', () => {
    for (const flow of flows) {
      const placed = placedSteps(flow.steps, all(flow))
      expect(new Set(placed.map(({ column, row }) => `${column} ${row}`)).size).toBe(placed.length)
      for (const { step, column, after } of placed)
        for (const before of after)
          expect(placed.find(each => each.step.kind === before)!.column, step.kind).toBeLessThanOrEqual(column)
    }
  })

  it('closes the gap of steps that a user does not have', () => {
    const kinds = new Set(['purchaseOrder', 'purchaseGrn', 'purchaseReturn'])
    const placed = placedSteps(purchaseFlow.steps, kinds)
    expect(placed.map(({ step, column, row }) => [step.kind, column, row])).toEqual([
      ['purchaseOrder', 0, 0],
      ['purchaseGrn', 1, 0],
      ['purchaseReturn', 1, 1],
    ])
    expect(leads(purchaseFlow, kinds)).toEqual({
      purchaseOrder: [],
      purchaseGrn: ['purchaseOrder'],
      purchaseReturn: ['purchaseGrn', 'purchaseOrder'],
    })
  })

  it('draws straight lines between neighbours and goes around what stands between', () => {
    const at = (column: number, row: number) => ({
      column,
      row,
      box: { left: column * 100, top: row * 100 + 20, width: 60, height: 60 },
    })
    expect(edgePath(at(0, 0), at(1, 0))).toBe('M 60 50 H 100')
    expect(edgePath(at(0, 0), at(0, 1))).toBe('M 30 80 V 120')
    expect(edgePath(at(0, 1), at(0, 0))).toBe('M 30 120 V 80')
    expect(edgePath(at(0, 1), at(1, 0))).toBe('M 60 150 H 80 V 50 H 100')
    expect(edgePath(at(0, 0), at(2, 0))).toBe('M 30 20 V 4 H 214 V 20')
  })
})
