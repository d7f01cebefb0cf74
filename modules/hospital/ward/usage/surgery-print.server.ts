import { add, type Decimal, isPositive, isZero, multiply, plain, subtract, sum } from '#kernel/values/decimal.ts'
import { chineseMoney } from '#kernel/values/chinese-money.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { broughtFor, type BroughtLine, sourceKey } from '#modules/hospital/ward/usage/loans-of-report.server.ts'
import { supplierNames } from '#modules/hospital/ward/usage/used-suppliers.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'
import { maySeePatients, maySeePrices, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Row = Readonly<Record<string, unknown>>
const ZERO = '0' as Decimal
const figure = (row: Row, name: string): Decimal => String(row[name] ?? '0') as Decimal

type Goods = {
  readonly id: string
  readonly is_implant: boolean
  readonly charge_price: Decimal | null
  readonly charge_code: string | null
}

/**
 * The facts about the goods of a use: whether they stay in the patient, and at our hospital how they are charged, by
 * the pair with the HIS that was in force on the day of the use.
 */
const goodsOf = (tx: Tx, session: Session, lines: readonly Row[], day: string) => tx<Goods[]>`
  select s.id, p.is_implant, h.charge_price, i.item_code as charge_code
    from specification s join product p on p.id = s.product_id
    left join hospital_product h on h.org_id = ${session.org.id} and h.specification_id = s.id
    left join lateral (
      select v.org_id, v.his_item_id from his_match_version v
       where v.org_id = h.org_id and v.specification_id = h.specification_id and v.valid_from <= ${day}
         and (v.valid_to is null or v.valid_to >= ${day})
       order by v.valid_from desc, v.id desc limit 1) m on true
    left join his_item i on i.org_id = m.org_id and i.id = m.his_item_id
   where s.id = any(${lines.map(line => String(line.specification_sn))}::bigint[])`

/** The quantity of each line that was taken back by reversals. */
const takenBack = (tx: Tx, session: Session, info: Row) => tx<{ line_no: number; quantity: Decimal }[]>`
  select x.line_no, (- sum(x.quantity))::numeric(18,3) as quantity
    from document d join document r on r.org_id = d.org_id and r.red_of_id = d.id and r.state <> 'cancelled'
    join document_line x on x.org_id = r.org_id and x.document_id = r.id
   where d.org_id = ${session.org.id} and d.kind = 'surgeryUse' and d.sn = ${String(info.sn)} and d.role = 'own'
   group by x.line_no`

const listed = (values: Iterable<unknown>): string | null =>
  [...new Set([...values].filter(Boolean).map(String))].join('、') || null

/** 供应商/跟台人员: who attended, and for which dealer. */
const attendedBy = (info: Row): string | null => listed([info.attendant_org_name, info.attendant])

/**
 * 手术耗材使用记录单. Implants come first and are known by lot or serial; what was taken back is not on it, what was
 * damaged in theatre says so. Our own sheet has the price that the patient is charged, a supplier's that of his goods.
 */
async function usageSheet(tx: Tx, session: Session, info: Row): Promise<Row> {
  const isOurs = info.role === 'own'
  const all = info.lines as readonly Row[]
  const goods = new Map((await goodsOf(tx, session, all, String(info.business_date))).map(row => [row.id, row]))
  const suppliers = await supplierNames(tx, all)
  const back = new Map(
    (isOurs && !info.red_of_sn ? await takenBack(tx, session, info) : []).map(row => [row.line_no, row.quantity]),
  )
  const lines = all.flatMap(line => {
    const known = goods.get(String(line.specification_sn))
    const quantity = subtract(figure(line, 'quantity'), back.get(line.line_no as number) ?? ZERO, 3)
    if (isZero(quantity)) return []
    const codes = line.unit_codes as readonly string[]
    if (known?.is_implant && !line.lot_no && codes.length === 0)
      throw new BusinessError('rule', '植入物缺少批号或序列号，不能打印')
    const wasted = figure(line, 'wasted_quantity')
    const price = isOurs ? (known?.charge_price ?? line.price) : line.price
    const charged = isOurs ? subtract(quantity, wasted, 3) : quantity
    return [
      {
        ...line,
        quantity,
        is_implant: known?.is_implant === true,
        print_order: `${known?.is_implant ? 0 : 1}${String(line.line_no).padStart(6, '0')}`,
        supplier_name: suppliers.get(String(line.supplier_sn)) ?? null,
        part_said: line.implant_part ?? (known?.is_implant ? (info.implant_site ?? null) : null),
        charge_code: isOurs ? (line.charge_item ?? known?.charge_code ?? null) : null,
        printed_price: price ?? null,
        printed_amount: price === null || price === undefined ? null : multiply(String(price) as Decimal, charged, 2),
        remark: listed([isPositive(wasted) ? `术中损耗${plain(wasted)}` : null, line.remark]),
      },
    ]
  })
  const totalOf = (of: readonly { readonly quantity: Decimal }[]) =>
    plain(of.reduce<Decimal>((so, { quantity }) => add(so, quantity, 3), ZERO))
  const amount = sum(
    lines.map(line => line.printed_amount ?? ZERO),
    2,
  )
  const knowsMoney = maySeePrices(session) && lines.every(line => line.printed_amount !== null)
  return {
    lines,
    operated_at: info.used_at ?? info.business_date,
    attended_by: listed([attendedBy(info), ...lines.map(line => line.supplier_name)]),
    piece_total: totalOf(lines),
    implant_total: totalOf(lines.filter(line => line.is_implant)),
    ...(knowsMoney ? { taxed_amount: amount, amount_in_words: chineseMoney(amount) } : { taxed_amount: undefined }),
  }
}

/** A line of the report: what is on the record of use, or what was brought and not used. */
type ReportLine = Row & {
  readonly used: Decimal
  readonly brought: Decimal | null
  readonly returned: Decimal | null
  readonly difference: Decimal | null
}

/**
 * The lines of the report. The first line that used goods of a delivery shows the delivered and returned quantities;
 * delivered goods that nobody used have a line of their own. 送达 = 使用 + 退回 + 差异, over all lines of one piece of a
 * delivery.
 */
function reportLines(lines: readonly Row[], loans: readonly BroughtLine[]): ReportLine[] {
  const bySource = new Map(loans.map(loan => [sourceKey(loan), loan]))
  const usedOf = (key: string) =>
    sum(
      lines.filter(line => sourceKey(line) === key).map(line => figure(line, 'quantity')),
      3,
    )
  const reported = new Set<string>()
  const used = lines.map((line): ReportLine => {
    const key = sourceKey(line)
    const isReported = reported.has(key)
    const loan = isReported ? undefined : bySource.get(key)
    reported.add(key)
    const usedHere = figure(line, 'quantity')
    const own = { ...line, used: usedHere }
    if (!loan) return { ...own, ...asWritten(line, isReported && bySource.has(key)) }
    const difference = subtract(subtract(loan.brought, usedOf(key), 3), loan.returned, 3)
    return { ...own, ...ofDelivery(loan), difference }
  })
  const unused = loans
    .filter(loan => !reported.has(sourceKey(loan)))
    .map(
      (loan): ReportLine => ({
        ...loan,
        ...ofDelivery(loan),
        used: ZERO,
        difference: subtract(loan.brought, loan.returned, 3),
      }),
    )
  return [...used, ...unused]
}

/**
 * The quantities that people wrote on a line without a delivery; none on a further line of a delivery already reported.
 */
function asWritten(line: Row, isReported: boolean): Pick<ReportLine, 'brought' | 'returned' | 'difference'> {
  const brought = figure(line, 'brought_quantity')
  if (isReported || isZero(brought)) return { brought: null, returned: null, difference: null }
  const returned = figure(line, 'returned_quantity')
  return { brought, returned, difference: subtract(subtract(brought, figure(line, 'quantity'), 3), returned, 3) }
}

const ofDelivery = ({ kit_code, brought, returned, counted_before, brought_at, sterilised_in }: BroughtLine) => ({
  kit_code,
  brought,
  returned,
  counted_before,
  counted_after: returned,
  brought_at,
  sterilised_in,
})

/** 手术报台单: the goods that each dealer brought, kit by kit; differences are highlighted. A sheet for each dealer. */
async function reportSheet(tx: Tx, session: Session, info: Row): Promise<Row> {
  if (info.role !== 'own') throw new BusinessError('forbidden')
  if (info.state === 'draft' || info.state === 'rejected') throw new BusinessError('rule', '请先登记手术使用')
  const all = info.lines as readonly Row[]
  const suppliers = await supplierNames(tx, all)
  const lines = reportLines(all, await broughtFor(tx, session, all)).map((line, at) => {
    const dealer_name = suppliers.get(String(line.supplier_sn)) ?? (line.supplier_name as string | undefined) ?? null
    const dealer = dealer_name ?? '本院库存'
    return {
      ...line,
      dealer_name,
      strong: line.difference !== null && !isZero(line.difference),
      dealer_group: line.kit_code ? `${dealer}　套包${line.kit_code}` : dealer,
      dealer_order: `${dealer}${String(at).padStart(6, '0')}`,
      charge_mark: isZero(line.used) ? null : chargeMark(info),
      remark: listed([isPositive(figure(line, 'wasted_quantity')) ? '术中损耗' : null, line.remark]),
    }
  })
  return { lines, used_amount: maySeePrices(session) ? (info.taxed_amount ?? '-') : '-' }
}

/**
 * What the report says of its lines. A dealer's copy has the lines of one dealer, and not who attended for another.
 */
function reportTotals(info: Row, isPart: boolean): Row {
  const lines = info.lines as readonly (ReportLine & { readonly dealer_name: string | null })[]
  const total = (name: 'brought' | 'used' | 'returned' | 'difference') =>
    plain(lines.reduce<Decimal>((so, line) => add(so, line[name] ?? ZERO, 3), ZERO))
  const isLoan = lines.some(line => line.brought !== null)
  const ofLoan = (name: 'brought' | 'returned' | 'difference') => (isLoan ? total(name) : '—')
  const stated = (name: 'kit_code' | 'brought_at' | 'sterilised_in') => listed(lines.map(line => line[name]))
  const isTheirs =
    !isPart || !info.attendant_org_name || lines.some(line => line.dealer_name === info.attendant_org_name)
  return {
    dealer_names: listed(lines.map(line => line.dealer_name)),
    attended_by: isTheirs ? attendedBy(info) : null,
    kit_codes: stated('kit_code'),
    brought_at: stated('brought_at'),
    sterilised_in: stated('sterilised_in'),
    brought_total: ofLoan('brought'),
    used_total: total('used'),
    returned_total: ofLoan('returned'),
    difference_total: ofLoan('difference'),
  }
}

const chargeMarks = {
  '1': '未计',
  '2': '已推送',
  '3': '已退',
  '4': '已计',
  '5': '失败',
  '6': '退费中',
  '7': '退费失败',
} as const

const chargeMark = (info: Row) => chargeMarks[String(info.charge_state ?? '1') as keyof typeof chargeMarks] ?? null

const REPORT = '/newprint/SurgicalReportFormPrint'

/**
 * Both sheets of an operation's use. A user who may not see patients gets neither their data nor a sheet that needs
 * them.
 */
export const surgerySheets: NonNullable<DocumentHooks['printFields']> = async (tx, session, info, route) => {
  if (route === REPORT && !maySeePatients(session)) throw new BusinessError('forbidden')
  return route === REPORT ? reportSheet(tx, session, info) : usageSheet(tx, session, info)
}

/** The figures below the report; those of the other sheet depend on prices and are its fields. */
export const surgeryTotals: NonNullable<DocumentHooks['printTotals']> = (info, route, isPart) =>
  route === REPORT ? reportTotals(info, isPart) : {}
