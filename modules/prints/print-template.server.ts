import { contractVariables, unknownVariables } from '#kernel/contract.ts'
import { wordsOf } from '#kernel/print.ts'
import { prints } from '#modules/registry.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

/** Clauses, place and days are a contract's, and its text names only what an order says. */
function contractProblem(after: Readonly<Record<string, unknown>>, isContract: boolean) {
  const field = ['clauses', 'signing_place', 'valid_days'].find(name => after[name])
  if (!field) return null
  if (!isContract) return { field, msg: '合同条款、签订地点和有效天数只用于购销合同，请改选打印单据或清空' }
  const text = String(after.clauses ?? '')
  const [unknown] = unknownVariables(text)
  if (unknown !== undefined)
    return { field: 'clauses', msg: `没有变量【${unknown}】，可用：${Object.keys(contractVariables).join('、')}` }
  if (text.split('\n').some(line => line.length > LONGEST_PARAGRAPH))
    return { field: 'clauses', msg: `合同条款一段不能超过${LONGEST_PARAGRAPH}字，请换行分段` }
  return null
}
/** A paragraph stands on one page whole. */
const LONGEST_PARAGRAPH = 1000

export const printTemplateRules: RecordRules = {
  kind: 'printTemplate',
  async check(tx, session, { id, after, before }) {
    const sheet = prints.find(candidate => candidate.route === after.sheet)
    const told = contractProblem(after, sheet?.contract !== undefined)
    if (told) return [told]
    const hidden = wordsOf((after.hidden_columns as string | null) ?? null)
    const labels = sheet?.columns.map(column => column.label) ?? []
    const unknown = hidden.find(word => !labels.includes(word))
    if (unknown) return [{ field: 'hidden_columns', msg: `没有【${unknown}】这一列，可选：${labels.join('、')}` }]
    const kept = sheet?.columns.find(
      column => sheet.fixed?.columns.includes(column.name) && hidden.includes(column.label),
    )
    if (kept) return [{ field: 'hidden_columns', msg: `${sheet!.fixed!.because}：${kept.label}` }]
    if (hidden.length > 0 && hidden.length >= labels.length) return [{ field: 'hidden_columns', msg: '至少要打印一列' }]
    if (after.paper && !sheet?.papers.some(({ paper }) => paper === after.paper))
      return [{ field: 'paper', msg: '该单据不能打印在这种纸上，请另选纸张规格' }]
    if (after.is_default && (after.warehouse_model_inner_sn || after.counterparty_sn))
      return [{ field: 'is_default', msg: '默认模板适用于全部仓库与机构，请清空适用范围' }]
    if (after.is_default)
      await tx`
        update print_template set is_default = false, version = version + 1
         where org_id = ${session.org.id} and sheet = ${String(after.sheet)} and is_default and id is distinct from ${id}`
    after.revision = before === null ? 1 : Number(before.revision) + 1
    after.changed_at = new Date().toISOString()
    return []
  },
  async saved(tx, session, id) {
    if (session.org.type === 'P')
      await tx`update print_template set for_everybody = true where org_id = ${session.org.id} and id = ${id}`
  },
}
