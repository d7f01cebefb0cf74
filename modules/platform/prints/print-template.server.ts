import { contractVariables, unknownVariables } from '#kernel/print/contract-template.ts'
import { labelLines, labelSheetAt, lineProblem, type LabelSheet } from '#kernel/print/label-formats.ts'
import { numberCodes, formats, type PageFormat, type PrintSheet } from '#kernel/print/print-definition.ts'
import {
  closingProblem,
  columnProblem,
  headProblem,
  marginsOf,
  namedColumns,
  signatureProblem,
  usualColumns,
} from '#kernel/print/print-layout.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { prints } from '#kernel/registry.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { RecordAction, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Row = Readonly<RecordRow>

/** Clauses, place and days belong to contracts, and the text names only fields of an order. */
function contractProblem(after: Row, isContract: boolean): Problem | null {
  const field = ['clauses', 'signing_place', 'valid_days'].find(name => after[name])
  if (!field) return null
  if (!isContract) return { field, msg: '合同条款、签订地点和有效天数只用于购销合同，请改选单据类型或清空' }
  const text = String(after.clauses ?? '')
  const [unknown] = unknownVariables(text)
  if (unknown !== undefined)
    return { field: 'clauses', msg: `没有变量【${unknown}】，可用：${Object.keys(contractVariables).join('、')}` }
  if (text.split('\n').some(line => line.length > LONGEST_PARAGRAPH))
    return { field: 'clauses', msg: `合同条款一段不能超过${LONGEST_PARAGRAPH}字，请换行分段` }
  return null
}
/** A paragraph must fit on one page. */
const LONGEST_PARAGRAPH = 1000

/** Space needed for head, titles and a few rows, in millimetres. */
const LEAST_ROOM = { wide: 100, high: 80 }
/** Space for the seal across the edges of all pages of a contract. */
const SEAL_EDGE = 15

function edgeProblem(sheet: PrintSheet, after: Row): Problem | null {
  const { width, height } = formats[(after.paper as PageFormat | null) ?? sheet.papers[0]!.paper]
  const { top, right, bottom, left } = marginsOf(sheet, after as never)
  if (width - left - right < LEAST_ROOM.wide)
    return { field: 'margin_left', msg: `左右边距太大：纸宽${width}毫米，至少要留${LEAST_ROOM.wide}毫米打印` }
  if (height - top - bottom < LEAST_ROOM.high)
    return { field: 'margin_top', msg: `上下边距太大：纸高${height}毫米，至少要留${LEAST_ROOM.high}毫米打印` }
  return sheet.contract && right < SEAL_EDGE
    ? { field: 'margin_right', msg: `合同右侧要盖骑缝章，右边距不能小于${SEAL_EDGE}毫米` }
    : null
}

function logoProblem(session: Session, after: Row): Problem | null {
  const logo = (after.logo ?? []) as readonly string[]
  if (logo.length === 0) return null
  const problem = (msg: string) => ({ field: 'logo', msg })
  if (session.org.type === 'P') return problem('平台模板供各机构共用，不放LOGO，请由各机构在自己的模板里上传')
  if (logo.length > 1) return problem('LOGO只能有一张图片，请移除多余的')
  return /\.(png|jpg|webp)$/.test(logo[0]!) ? null : problem('LOGO须为 png、jpg 或 webp 图片，请重新上传')
}

/**
 * The problem with a label template: size and code are the sheet's, code and expiry date cannot be removed, and it
 * applies to the whole organisation.
 */
function labelProblem(sheet: LabelSheet, after: Row): Problem | null {
  if (after.paper && !sheet.sizes.some(({ key }) => key === after.paper))
    return { field: 'paper', msg: `${sheet.name}没有这种尺寸，请另选纸张规格` }
  if (after.carrier && !sheet.codes.some(({ key }) => key === after.carrier))
    return {
      field: 'carrier',
      msg: `${sheet.name}的条码类型只有${sheet.codes.map(({ label }) => label).join('、')}，请另选`,
    }
  if (isScoped(after)) return { field: 'warehouse_model_inner_sn', msg: '标签模板适用于全部仓库与机构，请清空适用范围' }
  const msg = after.column_layout ? lineProblem(String(after.column_layout)) : null
  return msg === null ? null : { field: 'column_layout', msg }
}

/** The first problem of a template. */
function problemOf(session: Session, after: Row): Problem | null {
  const labels = labelSheetAt(after.sheet)
  if (labels) return labelProblem(labels, after)
  const sheet = prints().find(candidate => candidate.route === after.sheet)
  if (!sheet) return { field: 'sheet', msg: '请选择单据类型' }
  const notified = contractProblem(after, sheet.contract !== undefined)
  if (notified) return notified
  if (after.paper && !sheet.papers.some(({ paper: format }) => format === after.paper))
    return { field: 'paper', msg: '该单据不能打印在这种纸上，请另选纸张规格' }
  if (after.carrier && !(String(after.carrier) in numberCodes))
    return { field: 'carrier', msg: `单据的条码类型只有${Object.values(numberCodes).join('、')}，请另选` }
  const edge = edgeProblem(sheet, after) ?? logoProblem(session, after)
  if (edge) return edge
  return wordsProblem(sheet, after)
}

/** The problem with a template's names of columns, header fields, totals or signatures of its sheet. */
function wordsProblem(sheet: PrintSheet, after: Row): Problem | null {
  const checks: Readonly<Record<string, (text: string) => string | null>> = {
    column_layout: text => columnProblem(sheet, after as never, text),
    head_layout: text => headProblem(sheet, text),
    total_items: text => closingProblem(sheet, text),
    signatures: text => signatureProblem(sheet, text),
  }
  for (const [field, decide] of Object.entries(checks)) {
    const msg = after[field] ? decide(String(after[field])) : null
    if (msg !== null) return { field, msg }
  }
  return null
}

/** On a change of sheet, settings of the previous sheet are dropped unless sent again. */
function leaveBehind(after: RecordRow, before: Row, sent: Row): void {
  const isContract = prints().find(({ route }) => route === after.sheet)?.contract !== undefined
  const gone = [
    'column_layout',
    'head_layout',
    'total_items',
    'signatures',
    ...(Boolean(labelSheetAt(after.sheet)) === Boolean(labelSheetAt(before.sheet))
      ? []
      : ['paper', 'carrier', 'warehouse_model_inner_sn', 'counterparty_sn']),
    ...(isContract ? [] : ['clauses', 'signing_place', 'valid_days']),
  ]
  for (const name of gone) if (!(name in sent)) after[name] = null
}

const SCOPED = '默认模板适用于全部仓库与机构，请清空适用范围'
const isScoped = (row: Row) => Boolean(row.warehouse_model_inner_sn || row.counterparty_sn)
/** One default per organisation and sheet: the previous one loses the mark. */
const leaveDefault = (tx: Tx, session: Session, sheet: unknown, id: string | null) => tx`
  update print_template set is_default = false, version = version + 1
   where org_id = ${session.org.id} and sheet = ${String(sheet)} and is_default and id is distinct from ${id}`

const makeDefault: RecordAction = async (tx, session, row) => {
  if (row.is_default) throw new BusinessError('wrongState', '已经是默认模板')
  if (isScoped(row)) throw new BusinessError('rule', SCOPED)
  await leaveDefault(tx, session, row.sheet, String(row.print_template_sn))
  return { is_default: true }
}

/** The columns by which a template differs from its sheet: copied by a copy and restored by a reset. */
const layout = [
  'paper',
  'lines_per_page',
  'title',
  'margin_top',
  'margin_bottom',
  'margin_left',
  'margin_right',
  'typeface',
  'type_size',
  'logo',
  'column_layout',
  'head_layout',
  'total_items',
  'has_capitals',
  'carrier',
  'signatures',
  'note',
  'clauses',
  'signing_place',
  'valid_days',
] as const

const layoutColumns = (tx: Tx) => tx`
  paper, lines_per_page, title, margin_top, margin_bottom, margin_left, margin_right, typeface, type_size, logo,
    column_layout, head_layout, total_items, has_capitals, carrier, signatures, note, clauses, signing_place,
    valid_days`

const copy: RecordAction = async (tx, session, row, _reason, { name }) => {
  const columns = layoutColumns(tx)
  await tx`
    insert into print_template (org_id, name, sheet, warehouse_id, counterparty_id, for_everybody, ${columns})
    select org_id, ${String(name)}, sheet, warehouse_id, counterparty_id, for_everybody, ${columns}
      from print_template where org_id = ${session.org.id} and id = ${String(row.print_template_sn)}`
}

/** Resets to the platform's default template of the sheet, or else to the sheet itself. */
const reset: RecordAction = async (tx, _session, row) => {
  const [platform] = await tx<RecordRow[]>`
    select ${layoutColumns(tx)} from print_template
     where for_everybody and is_default and status = 'enabled' and sheet = ${String(row.sheet)}
       and id <> ${String(row.print_template_sn)} limit 1`
  const own = Object.fromEntries(
    layout.map(name => [name, name === 'logo' ? [] : (platform?.[name] ?? (name === 'has_capitals' ? true : null))]),
  )
  return { ...own, revision: parseInteger(row.revision) + 1, changed_at: new Date().toISOString() }
}

const looksOther = (before: Row, after: Row) =>
  ['sheet', ...layout].some(name => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null))

const documentOf = ({ sheet, paper: format }: Row): PageFormat | null =>
  (format as PageFormat | null) ?? prints().find(({ route }) => route === sheet)?.papers[0]?.paper ?? null

export const printTemplateRules: RecordRules = {
  kind: 'printTemplate',
  platformReads: 'P',
  actions: { default: makeDefault, copy, reset },
  columns: tx => ({
    code: tx`'MB' || t.id`,
    print_route: tx`t.sheet`,
    orientation: tx`null::text`,
    column_count: tx`null::int`,
  }),
  async complete(_tx, _session, rows) {
    return rows.map(row => {
      const format = documentOf(row)
      const sheet = prints().find(({ route }) => route === row.sheet)
      const label = labelSheetAt(row.sheet)
      const named = namedColumns(row.column_layout as string | null)
      return {
        ...row,
        orientation: format === null || label ? null : formats[format].width > formats[format].height ? '横向' : '纵向',
        column_count:
          named.length > 0
            ? named.length
            : label
              ? Object.keys(labelLines).length
              : sheet === undefined
                ? null
                : usualColumns(sheet).length,
      }
    })
  },
  async check(tx, session, { id, after, before, sent }) {
    if (before !== null && 'sheet' in sent) leaveBehind(after, before, sent)
    const problem = problemOf(session, after)
    if (problem) return [problem]
    if (after.is_default && isScoped(after)) return [{ field: 'is_default', msg: SCOPED }]
    if (after.is_default) await leaveDefault(tx, session, after.sheet, id)
    after.revision = before === null ? 1 : parseInteger(before.revision) + (looksOther(before, after) ? 1 : 0)
    after.changed_at = new Date().toISOString()
    return []
  },
  async saved(tx, session, id) {
    if (session.org.type === 'P')
      await tx`update print_template set for_everybody = true where org_id = ${session.org.id} and id = ${id}`
  },
}
