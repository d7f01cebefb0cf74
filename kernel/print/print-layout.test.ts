import { describe, expect, it } from 'vitest'
import { closingProblem, headProblem, signatureProblem } from '#kernel/print/print-layout.ts'
import { inboundOrder, outboundOrder } from '#modules/platform/prints/sheets/stock-sheets.ts'

describe('a template of a delivery note', () => {
  const head = '出库单号、购货单位、收货地址、发货日期'
  it('names existing head facts, once each, including those that the law requires', () => {
    expect(headProblem(outboundOrder, head)).toBeNull()
    expect(headProblem(outboundOrder, head.replace('、收货地址', ''))).toBe('随货同行单必填项不能移除：收货地址')
    expect(headProblem(outboundOrder, `${head}、颜色`)).toMatch(/^没有【颜色】这一项页眉，可选：出库单号、出库日期/)
    expect(headProblem(outboundOrder, `${head}、发货日期`)).toBe('【发货日期】重复')
  })
  it('names sums that exist', () => {
    expect(closingProblem(outboundOrder, '合计件数(箱)、合计金额、合计数量')).toBeNull()
    expect(closingProblem(outboundOrder, '税额')).toMatch(/^没有【税额】这一项合计，可选：本页小计、合计数量/)
    expect(closingProblem(inboundOrder, '税额')).toBeNull()
  })
  it('names signatures freely; sender and receiver always sign', () => {
    expect(signatureProblem(outboundOrder, '仓管员、发货人(出库专用章位置)、收货人签字及日期')).toBeNull()
    expect(signatureProblem(outboundOrder, '仓管员、收货人签字及日期')).toBe(
      '随货同行单必填项不能移除：发货人(出库专用章位置)',
    )
    expect(signatureProblem(inboundOrder, '科主任')).toBeNull()
  })
})
