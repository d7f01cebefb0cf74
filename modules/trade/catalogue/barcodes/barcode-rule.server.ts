import { type CodeRule, rulesConflict } from '#kernel/codes/custom-rule.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { RecordRules } from '#server/public/records.ts'

/** Parsing must be unambiguous: two rules that could both read one code may not coexist. */
export const barcodeRuleRules: RecordRules = {
  kind: 'barcodeRule',
  async check(tx, session, { id, after }) {
    const rule = after as unknown as CodeRule & { status: string }
    const ends = [
      ['product_from', parseInteger(rule.product_from) + parseInteger(rule.product_length) - 1],
      ['lot_from', rule.lot_from === null ? 0 : parseInteger(rule.lot_from) + parseInteger(rule.lot_length ?? 1) - 1],
      ['production_from', rule.production_from === null ? 0 : rule.production_from + rule.date_format.length - 1],
      ['expiry_from', rule.expiry_from === null ? 0 : rule.expiry_from + rule.date_format.length - 1],
      [
        'serial_from',
        rule.serial_from === null ? 0 : parseInteger(rule.serial_from) + parseInteger(rule.serial_length ?? 1) - 1,
      ],
    ] as const
    const beyond = ends.find(([, end]) => rule.total_length !== null && end > parseInteger(rule.total_length))
    if (beyond) return [{ field: beyond[0], msg: `取到第${beyond[1]}位，超过总长度${rule.total_length}` }]
    if (rule.status !== 'enabled') return []
    const others = await tx<CodeRule[]>`
      select name, prefix, total_length from barcode_rule where org_id = ${session.org.id} and status = 'enabled'
        and id is distinct from ${id}::bigint`
    const other = others.find(each => rulesConflict(each, rule))
    if (other)
      throw new BusinessError('duplicate', `与规则【${other.name}】冲突`, [
        { field: 'prefix', msg: `与规则【${other.name}】冲突` },
      ])
    return []
  },
}
