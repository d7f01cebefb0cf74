import { type DiIssuer, deviceIdentifier } from '#kernel/codes/device-identifier.ts'
import { looksHibc } from '#kernel/codes/hibc-code.ts'
import { parseCode } from '#kernel/codes/parse-code.ts'
import { today } from '#kernel/values/date.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { catalogueOf, productsSeen } from '#modules/trade/catalogue/assortment/own-catalogue.server.ts'
import type { Change, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Read = { readonly code: string; readonly issuer: string }

/** The normalised form of a code, and who issued it; a whole scan is reduced to its product code. */
function readAs(type: string, written: string): Read | string {
  const text = written.trim()
  if (type === 'custom' || type === 'ahm') return { code: text, issuer: type === 'ahm' ? 'ahm' : 'own' }
  const parsed = parseCode(text, { today: today() })
  const named = deviceIdentifier(parsed.ok && parsed.di !== null ? parsed.di : text)
  if (named === null && parsed.ok === false && looksHibc(text)) return parsed.message
  const demanded = DEMANDS[type]
  if (demanded !== undefined && named?.issuer !== type) return demanded
  if (named === null)
    return /^\d+$/.test(text)
      ? '条码校验位错误'
      : 'UDI-DI应为8、12、13、14位数字，或以MA.、+开头；其他编码请选择AHM或自定义'
  if (type === 'gtin' && named.issuer !== 'gs1')
    return `${issuerNames[named.issuer]}编码请选择条码类型${issuerNames[named.issuer]}`
  return { code: named.di, issuer: named.issuer }
}

/** Types that name the issuer of the code, with the message for another code. */
const DEMANDS: Readonly<Record<string, string>> = {
  ma: '以MA.开头、共5段的编码才是MA编码，请核对',
  hibc: '以+开头、由字母和数字组成的编码才是HIBC编码，请核对',
}
const issuerNames: Readonly<Record<DiIssuer, string>> = { gs1: 'GS1', ma: 'MA', hibc: 'HIBC' }

type Known = {
  id: string
  specification_id: string
  unit_id: string
  org_id: string | null
  product: string
  specification: string
}

/** Codes that already exist under this name: in the catalogue, kept for everyone, or the organisation's own. */
const named = (tx: Tx, session: Session, code: string) => tx<Known[]>`
  select b.id, b.specification_id, b.unit_id, b.org_id, p.name as product, s.name as specification
    from known_barcode b join specification s on s.id = b.specification_id join product p on p.id = s.product_id
   where b.code = ${code} and b.status = 'enabled'
     and (b.org_id = ${session.org.id} or b.org_id is null
     or exists (select 1 from product_barcode x where x.id = b.id and x.for_everybody))`

async function refuseTaken(tx: Tx, session: Session, change: Change): Promise<void> {
  const code = String(change.after.code)
  const others = (await named(tx, session, code)).filter(row => row.id !== change.id)
  const foreign = others.find(row => row.specification_id !== change.after.specification_sn)
  const refuse = (msg: string) => new BusinessError('duplicate', msg, [{ field: 'code', msg }])
  if (foreign) throw refuse(`条码${code}已被【${foreign.product} ${foreign.specification}】使用`)
  if (others.length > 0) throw refuse(`条码${code}已维护在该规格上，无需重复维护`)
}

type Unit = { id: string; name: string; base_measure: number }

/** The unit of a package, which must match its contents: 1 unit = measure × 1 of the next lower. */
async function checkPackage(tx: Tx, session: Session, { after }: Change): Promise<Problem[]> {
  const units = await tx<
    Unit[]
  >`select id, name, base_measure from unit_tree where specification_id = ${String(after.specification_sn)}`
  const unitOf = (id: unknown) => units.find(unit => unit.id === id)
  if (after.unit_inner_sn && !unitOf(after.unit_inner_sn))
    return [{ field: 'unit_inner_sn', msg: '单位不属于该规格，请重新选择' }]
  if (after.level === 'use' || after.level === 'sale') {
    if (after.lower_code || after.lower_count)
      return [{ field: 'lower_code', msg: '只有中包装、外箱才填写下级UDI-DI和换算数量' }]
    after.unit_inner_sn ??= String(after.specification_sn)
    return []
  }
  const lowerText = String(after.lower_code ?? '').trim()
  if (lowerText === '' || !after.lower_count)
    return [{ field: 'lower_code', msg: '中包装、外箱须填写下级UDI-DI和换算数量' }]
  after.lower_code = deviceIdentifier(lowerText)?.di ?? lowerText
  const [lower] = (await named(tx, session, String(after.lower_code))).filter(
    row => row.specification_id === after.specification_sn,
  )
  if (!lower)
    return [{ field: 'lower_code', msg: `下级UDI-DI${String(after.lower_code)}不是该规格的条码，请先维护下级条码` }]
  const inside = unitOf(lower.unit_id)
  const base = (inside?.base_measure ?? 1) * parseInteger(after.lower_count)
  const fitting = units.find(unit => unit.base_measure === base && unit.id !== lower.unit_id)
  const chosen = unitOf(after.unit_inner_sn) ?? fitting
  if (!chosen) return [{ field: 'lower_count', msg: `该规格没有折合${base}个基本单位的包装单位，请先在产品中维护单位` }]
  if (chosen.base_measure !== base)
    return [
      {
        field: 'lower_count',
        msg: `换算数量与单位不一致：1${chosen.name}为${chosen.base_measure / (inside?.base_measure ?? 1)}${inside?.name ?? ''}`,
      },
    ]
  after.unit_inner_sn = chosen.id
  return []
}

/** A posted document of the goods since the code was entered: the code may have been read from it. */
async function isUsed(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<boolean> {
  const [used] = await tx`
    select 1 from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
      join product_barcode b on b.org_id = l.org_id and b.id = ${String(row.product_barcode_sn)}
     where l.org_id = ${session.org.id} and l.specification_id = b.specification_id and d.reviewed_at >= b.created_at
       limit 1`
  return used !== undefined
}

export const productBarcodeRules: RecordRules = {
  kind: 'productBarcode',
  table: 'product_barcode',
  kept: ['unit_inner_sn'],
  visible: (tx, session) =>
    session.org.type === 'V'
      ? tx`(t.org_id = ${session.org.id}
        or t.specification_id in (select s.id from specification s
        where ${productsSeen(tx, session, tx`s.product_id`, false)}))`
      : session.org.type === 'P'
        ? tx`true`
        : tx`(t.org_id = ${session.org.id} or t.specification_id in (${catalogueOf(tx, session)}))`,
  columns: (tx, session) => ({
    unit_inner_sn: tx`t.unit_id`,
    product_name: tx`(select p.name from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    manufacturer_name: tx`(select o.name from product p join organisation o on o.id = p.manufacturer_id
      where p.id = ${tx('to_specification_sn.product_id')})`,
    registration_no: tx`(select c.certificate_no from registration_certificate c
      where c.id = ${tx('to_specification_sn.registration_certificate_id')})`,
    kept_by: tx`case when t.org_id is null then 'catalogue' when t.org_id = ${session.org.id} then 'own'
      else 'shared' end`,
    udi_check: tx`case when t.org_id is null then 'same' when t.code_type = 'custom' then null else coalesce((
      select case when x.specification_id = t.specification_id then 'same' else 'other' end from (
        select s.id as specification_id from specification s where s.udi_di = t.code union all
          select k.specification_id from pack_unit k where k.udi_di = t.code) x limit 1), 'none') end`,
  }),
  mayWrite(_session, action, row) {
    if (action !== 'add' && row && row.kept_by !== 'own')
      throw new BusinessError('forbidden', '平台或厂商维护的条码只能查看，如有错误请联系对方修改')
  },
  async check(tx, session, change) {
    const { after } = change
    const read = readAs(String(after.code_type), String(after.code))
    if (typeof read === 'string') return [{ field: 'code', msg: read }]
    Object.assign(after, read, { changed_by: session.userName })
    if (read.code.length < 4) return [{ field: 'code', msg: '条码至少4个字符' }]
    const [goods] = await tx<{ id: string }[]>`
      select s.id from specification s where s.id = ${String(after.specification_sn)}
        and ${productsSeen(tx, session, tx`s.product_id`, session.org.type !== 'V')}`
    if (!goods)
      return [
        {
          field: 'specification_sn',
          msg: session.org.type === 'V' ? '只能维护本企业产品的条码' : '请选择本机构目录或平台已发布的规格',
        },
      ]
    if (after.status === 'enabled') await refuseTaken(tx, session, change)
    return checkPackage(tx, session, change)
  },
  alsoWrites: async (_tx, session, { after, before }) => ({
    unit_id: after.unit_inner_sn === after.specification_sn ? null : String(after.unit_inner_sn),
    ...(before === null ? { org_id: session.org.id, for_everybody: session.org.type === 'V' } : {}),
  }),
  /** Settles scans that waited to be identified. */
  async saved(tx, session, _id, { after }) {
    const code = String(after.code).replace(/^0+/, '')
    await tx`
      update error_record set state = 'done', note = '已维护条码', handled_by = ${session.userName}, handled_at = now(),
        version = version + 1
       where org_id = ${session.org.id} and error_kind in ('unmatched', 'unreadable')
         and state in ('waiting', 'working') and position(${code} in object) > 0`
  },
  async mayLeave(tx, session, action, row) {
    if (action === 'del' && (await isUsed(tx, session, row)))
      throw new BusinessError('blocked', '条码已被业务引用，不能删除，可以停用')
  },
}
