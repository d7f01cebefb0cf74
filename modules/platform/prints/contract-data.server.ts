import { filledClauses } from '#kernel/print/contract-template.ts'
import { addDays, type Day } from '#kernel/values/date.ts'
import type { PrintSheet, PrintTemplate } from '#kernel/print/print-definition.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { chineseMoney } from '#kernel/values/chinese-money.ts'
import { compare, type Decimal, plain } from '#kernel/values/decimal.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Info = Readonly<Record<string, unknown>>
type Party = {
  readonly name: string
  readonly social_credit_code: string
  readonly address: string
  readonly legal_person: string | null
  readonly phone: string | null
  readonly bank_name: string | null
  readonly bank_account: string | null
  readonly tax_no: string
}

/** The two parties, from their own master data, or from our relation data where theirs is empty. */
async function partiesOf(tx: Tx, session: Session, ids: readonly string[]): Promise<Map<string, Party>> {
  const rows = await tx<(Party & { id: string })[]>`
    select o.id, o.name, o.social_credit_code, o.address, o.legal_person,
      coalesce(r.phone, o.registrant_phone) as phone,
           coalesce(o.bank_name, r.bank_name) as bank_name, coalesce(o.bank_account, r.bank_account) as bank_account,
             coalesce(r.tax_no, o.social_credit_code) as tax_no
      from organisation o
      left join lateral (select * from org_relation x where x.org_id = ${session.org.id} and x.partner_id = o.id
        order by x.status = 'enabled' desc, x.id limit 1) r on true
     where o.id = any(${ids as string[]}::bigint[])`
  return new Map(rows.map(({ id, ...party }) => [id, party]))
}

const factsOf = (party: Party): readonly (readonly [label: string, value: string])[] =>
  (
    [
      ['统一社会信用代码', party.social_credit_code],
      ['地址', party.address],
      ['法定代表人', party.legal_person],
      ['联系电话', party.phone],
      ['开户银行', party.bank_name],
      ['账号', party.bank_account],
      ['税号', party.tax_no],
    ] as const
  ).flatMap(([label, value]) => (value ? [[label, value] as const] : []))

type Contract = NonNullable<PrintSheet['contract']>

/** True if the organisation that keeps the document is the buyer. */
function keeperBuys(contract: Contract, kind: string, raw: Info): boolean {
  const buyer = contract.buyers[kind]
  return (typeof buyer === 'object' ? buyer.is[String(raw[buyer.by])] : buyer) !== 'counterparty'
}

/** The name and the text of an agreement for a period: by its type, and without a framework if it has a sum. */
function frameOf({ frame }: Contract, raw: Info, hasAmount: boolean) {
  return frame.types[String(raw[frame.type])] ?? { ...frame, title: hasAmount ? '购销合同' : frame.title }
}

/**
 * The chosen text; without a choice, the best match. A type of contract with a text of its own keeps that; an
 * agreement for a period uses a text with its start date and
 * without a total.
 */
function textOf(
  templates: readonly PrintTemplate[],
  chosen: unknown,
  isFrame: boolean,
  isOfType: boolean,
  said: Info,
): PrintTemplate | null {
  const wanted = templates.find(each => each.print_template_sn === chosen)
  if (isOfType) return wanted ?? null
  if (wanted || !isFrame) return wanted ?? templates[0] ?? null
  return (
    templates.find(
      each => each.clauses?.includes('{有效期起}') && filledClauses(each.clauses, said).missing.length === 0,
    ) ?? null
  )
}

/**
 * A document as a contract: both parties, and the clauses filled in from the document. A missing value required by
 * the text is refused.
 */
export async function contractOf(
  tx: Tx,
  session: Session,
  kind: string,
  contract: Contract,
  { whole: info, raw }: { readonly whole: Info; readonly raw: Info },
  asked: { readonly template?: unknown; readonly newest?: unknown },
): Promise<Info> {
  if (info.role === 'counterparty') throw new BusinessError('rule', '合同由制单方打印，请在本机构的订单上打印合同')
  if (!('taxed_amount' in info)) throw new BusinessError('forbidden', '没有查看价格的权限，不能打印合同')
  const templates = (info.templates ?? []) as readonly PrintTemplate[]
  const isFrame = contract.frame.kinds.includes(kind)
  const isOfType = isFrame && String(raw[contract.frame.type]) in contract.frame.types
  const isLent = info.regime === '寄售' || info.regime === 'consigned'
  const own = { id: String(info.org_sn), name: info.org_name }
  const other = { id: String(info.counterparty_sn), name: info.counterparty_name }
  const [buyer, seller] = keeperBuys(contract, kind, raw) ? [own, other] : ([other, own] as const)
  const files = await partiesOf(tx, session, [buyer.id, seller.id])
  const { untaxed_amount: _untaxed, tax_amount: _tax, taxed_amount, amount_in_words, ...rest } = info
  const agreed = isFrame ? ((raw[contract.frame.amount] as Decimal | null | undefined) ?? null) : null
  const total = agreed
    ? { taxed_amount: agreed, amount_in_words: chineseMoney(agreed) }
    : !isLent && !isFrame
      ? { taxed_amount, amount_in_words }
      : null
  const known = {
    ...rest,
    ...total,
    contract_number: info.contract_no || info.sales_contract_no || info.sn,
    buyer_name: buyer.name,
    seller_name: seller.name,
    valid_from: info.valid_from ?? info.business_date,
    valid_to: info.valid_to ?? (isFrame ? '长期' : null),
  }
  // A reprint shows the text of the first print.
  const again = asked.newest === 'true' ? undefined : (info.first_template as PrintTemplate | null | undefined)
  const template = again === undefined ? textOf(templates, asked.template, isFrame, isOfType, known) : again
  const said = {
    ...known,
    signing_place: template?.signing_place ?? null,
    valid_to:
      !isFrame && template?.valid_days
        ? addDays(String(info.business_date) as Day, parseInteger(template.valid_days))
        : known.valid_to,
  }
  const usual = isFrame ? frameOf(contract, raw, agreed !== null) : isLent ? contract.lent : contract.clauses
  const named = typeof usual === 'string' ? { title: '购销合同', clauses: usual } : usual
  const { clauses, missing } = filledClauses(template?.clauses ?? named.clauses, said)
  if (missing.length > 0) throw new BusinessError('rule', `合同模板变量未填写：${missing.join('、')}`)
  return {
    ...said,
    // No money is owed while the goods are the seller's, or nothing was ordered: prices are agreed, without a total,
    // unless the contract is about a sum.
    taxed_amount: total?.taxed_amount ?? '',
    ...(isFrame ? { lines: pricesOnly(info.lines as readonly Info[]) } : {}),
    ...(isLent && !isFrame ? { lines: (info.lines as readonly Info[]).map(withoutSum) } : {}),
    title: template?.title ?? named.title,
    clauses,
    used_template: template,
    parties: [
      { role: '甲方', name: buyer.name, facts: factsOf(files.get(buyer.id)!) },
      { role: '乙方', name: seller.name, facts: factsOf(files.get(seller.id)!) },
    ],
  }
}

/** A line of goods not sold yet: nothing is owed for it. */
const withoutSum = ({ taxed_amount: _sum, ...line }: Info): Info => line

/** Lines of an agreement for a period: the minimum quantity of a price is shown, the quantity to be ordered is not. */
const pricesOnly = (lines: readonly Info[]): readonly Info[] =>
  lines.map(({ quantity, remark, untaxed_amount: _untaxed, tax_amount: _tax, taxed_amount: _taxed, ...line }) => ({
    ...line,
    remark: [compare(String(quantity ?? '0'), '1') > 0 ? `${plain(String(quantity))}起` : '', remark ?? '']
      .filter(Boolean)
      .join('；'),
  }))
