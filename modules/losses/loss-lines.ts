import { f } from '#kernel/field.ts'
import { memoFalls, memoGrows } from '#modules/moves.ts'

/** Lines of goods that leave the books without a buyer: what, whose, in which state, and what it had cost. */
export const lossLines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  lot_no: f.text('批号', { max: 40 }),
  unit_codes: f.codes('院内码'),
  expiry_date: f.day('有效期至', { readOnly: true }),
  location: f.text('货位', { max: 40 }),
  owner_org_sn: f.ref('货主', 'organisation'),
  quality_state: f.pick('质量状态', {
    qualified: '合格',
    pending: '待验',
    stopped: '停售',
    frozen: '冻结',
    unqualified: '不合格',
  }),
  unit_inner_sn: f.ref('单位', 'unitTree'),
  price: f.price('成本单价', { readOnly: true }),
  taxed_amount: f.amount('成本金额', { readOnly: true }),
} as const

/** Who bears the loss of goods that belong to somebody else. */
export const bearers = { none: '无需赔付', hospital: '医院赔付', owner: '货主自担', person: '责任人赔付' } as const

/** What a paper's sum is called where it counts cost. */
export const costAmount = f.amount('成本金额', { readOnly: true })

/** Whose goods were lost or found learns it. */
export const ownersLearn = (step: 'loss' | 'scrap' | 'overflow', title: string, header: readonly string[]) =>
  ({
    on: 'review',
    toOwners: true,
    header,
    message: { title, uri: step },
    arrives: step === 'overflow' ? memoGrows(step) : memoFalls(step),
  }) as const
