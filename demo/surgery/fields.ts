import type { Trade } from '#demo/trades.ts'

/** An operation by name and code, where on the body it is, and what its kits are called after. */
type Operation = readonly [surgery: string, code: string, site: string, kit: string]
type Instrument = {
  readonly tool_code: string
  readonly name: string
  readonly model: string
  readonly is_powered: boolean
  readonly max_uses?: number
  readonly service_days?: number
}
/** The goods and instruments with which a supplier prepares operations; the first operation has a kit. */
export type Field = {
  readonly trade: Trade
  readonly operations: readonly Operation[]
  /** A word that the names of its goods contain. */
  readonly goods: string
  readonly system: string
  readonly instruments: readonly Instrument[]
}
export const HIPS: Field = {
  trade: '骨科',
  operations: [
    ['全髋关节置换术', '81.51', '髋', '髋关节假体'],
    ['膝关节置换术', '81.54', '膝', '膝关节假体'],
  ],
  goods: '髋关节',
  system: '全髋系统',
  instruments: [
    { tool_code: 'DZ-01', name: '骨科电钻', model: '6mm', is_powered: true, max_uses: 300, service_days: 180 },
    { tool_code: 'DX-02', name: '导向器', model: '通用', is_powered: false },
    { tool_code: 'LD-03', name: '六角螺丝刀', model: '3.5mm', is_powered: false },
    { tool_code: 'SM-04', name: '髋臼试模', model: '48-56mm', is_powered: false },
  ],
}
export const PACING: Field = {
  trade: '介入',
  operations: [
    ['双腔永久起搏器植入术', '37.83', '左胸', '双腔起搏器'],
    ['单腔永久起搏器植入术', '37.81', '左胸', '单腔起搏器'],
  ],
  goods: '起搏',
  system: '双腔起搏系统',
  instruments: [
    { tool_code: 'FX-01', name: '起搏系统分析仪', model: '双腔', is_powered: true, max_uses: 300, service_days: 180 },
    { tool_code: 'CS-02', name: '导线测试夹', model: '通用', is_powered: false },
    { tool_code: 'LD-03', name: '六角螺丝刀', model: '2.0mm', is_powered: false },
    { tool_code: 'DZ-04', name: '电极固定套钳', model: '通用', is_powered: false },
  ],
}
