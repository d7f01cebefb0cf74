import { day } from '../../support/story.ts'
import type { Chance } from './random.ts'
import { arriving, type Market, newCodes } from './fuzz-world.ts'

/** The organisations of the attack. */
export type TestServer = 'V01' | 'D01' | 'D02' | 'H01'
const isDealer = (server: TestServer) => server.startsWith('D')

// oxlint-disable-next-line typescript/no-explicit-any -- replies of all kinds
type Row = any
const LOTS = ['ATK-A', 'ATK-B', 'ATK-C']
/** Kinds whose lines are money alone. */
export const ofMoney: ReadonlySet<string> = new Set(['prepayment', 'prereceipt', 'openingPayable', 'openingReceivable'])
let invoices = 0

/** Fields a document needs besides its source; wrong values are for the server to refuse. */
export function headerOf(market: Market, chance: Chance, server: TestServer, kind: string): Row {
  switch (kind) {
    case 'purchaseOrder':
      return {
        counterparty_sn: isDealer(server)
          ? market.org.V01
          : chance.one([market.org.D01, market.org.D01, market.org.D02]),
        warehouse_model_inner_sn: market.shelf[server],
        ...(server === 'H01' ? { regime: chance.one(['purchased', 'consigned']) } : {}),
      }
    case 'saleOdo':
      return {
        counterparty_sn:
          server === 'V01' ? chance.one([market.org.D01, market.org.D01, market.org.D02]) : market.org.H01,
        warehouse_model_inner_sn: market.shelf[server],
        ...(isDealer(server) ? { regime: chance.one(['purchased', 'consigned']) } : {}),
      }
    case 'advanceSale':
      return {
        counterparty_sn:
          server === 'V01' ? chance.one([market.org.D01, market.org.D01, market.org.D02]) : market.org.H01,
        warehouse_model_inner_sn: market.shelf[server],
        settle_date: day(9),
      }
    case 'requisition':
    case 'grantOdo':
      return {
        warehouse_model_inner_sn: market.shelf.H01,
        to_warehouse_model_inner_sn: market.ward,
        department_inner_sn: market.department,
      }
    case 'departmentUse':
    case 'surgeryUse':
      return {
        warehouse_model_inner_sn: chance.one([market.ward, market.shelf.H01]),
        department_inner_sn: market.department,
        patient_name: '应牧野',
        admission_no: '0126',
        doctor_inner_sn: market.surgeon,
        ...(kind === 'surgeryUse' ? { surgery_name: '关节置换', implant_site: '膝' } : {}),
      }
    case 'inboundInvoice':
    case 'outboundInvoice':
      return { invoice_no: `27${String(++invoices).padStart(18, '0')}`, invoice_date: day() }
    case 'prepayment':
      return {
        counterparty_sn: isDealer(server) ? market.org.V01 : chance.one([market.org.D01, market.org.D02]),
        purpose_text: '备货',
      }
    case 'prereceipt':
      return {
        counterparty_sn: server === 'V01' ? market.org.D01 : market.org.H01,
        receive_account: '基本户',
        bank_serial_no: `ATK-YS-${++invoices}`,
        paid_on: day(),
      }
    case 'accountStatement':
      return {
        counterparty_sn:
          server === 'V01'
            ? market.org.D01
            : isDealer(server)
              ? market.org.H01
              : chance.one([market.org.D01, market.org.D02]),
        direction: server === 'H01' ? 'payable' : 'receivable',
        begin_date: day(-30),
        end_date: day(),
      }
    case 'openingPayable':
      return {
        counterparty_sn: isDealer(server) ? market.org.V01 : chance.one([market.org.D01, market.org.D02]),
        opening_month: day().slice(0, 7),
      }
    case 'openingReceivable':
      return { counterparty_sn: server === 'V01' ? market.org.D01 : market.org.H01, opening_month: day().slice(0, 7) }
    case 'loss':
      return {
        warehouse_model_inner_sn: market.shelf[server],
        loss_type: 'missing',
        loss_reason: '未找到',
        bearer: chance.one(['none', 'hospital', 'owner']),
      }
    case 'overflow':
      return { warehouse_model_inner_sn: market.shelf[server], overflow_reason: '多出', origin: '货架后找到' }
    case 'stopSale':
      return { warehouse_model_inner_sn: market.shelf[server], stop_reason: 'quality' }
    case 'transfer':
      return transferHeader(market, chance, server)
    case 'scrap':
      return { warehouse_model_inner_sn: market.shelf[server], scrap_reason: '包装破损' }
    case 'otherOdo':
      return {
        warehouse_model_inner_sn: market.shelf[server],
        odo_type: chance.one(['sample', 'loan', 'own_use']),
        purpose_note: '试',
        return_due: day(9),
        // A borrower can be named: its ledgers are not affected.
        counterparty_sn: chance.one([null, isDealer(server) ? market.org.H01 : market.org.D01]),
      }
    case 'giveOdo':
      return {
        counterparty_sn: isDealer(server) ? market.org.H01 : market.org.D01,
        warehouse_model_inner_sn: market.shelf[server],
        give_type: 'trial',
      }
    case 'grantReturn':
      return { return_reason: '试' }
    case 'purchaseReturn':
      return { return_reason: '试', return_type: chance.one(['quality', 'unused', 'other']) }
    case 'stockCorrection':
      return {
        change_type: chance.one(['lot', 'price', 'code']),
        change_reason: '试',
        quality_opinion: '已核对',
        attachments: [market.proof[server]],
      }
    case 'transferArrival':
    case 'otherGrn':
    case 'openingStock':
    case 'purchaseGrn':
    case 'arrivalOrder':
      return { warehouse_model_inner_sn: market.shelf[server] }
    default:
      return {}
  }
}

/** Extra fields of a line created from a source; for a correction, the right values. */
export const extrasOf = (chance: Chance, kind: string, codes: readonly string[]): Row =>
  kind === 'stockCorrection'
    ? {
        new_lot_no: chance.one(['ATK-Y', 'ATK-Z']),
        new_price: chance.one(['33.33', '41.07', '0.01']),
        ...(codes.length > 0 ? { new_codes: newCodes(codes.length) } : {}),
      }
    : kind === 'purchaseGrn'
      ? { reject_reason: '少发' }
      : kind === 'transferArrival'
        ? { difference_reason: '少发', ...(chance.yes(0.2) ? { refused_quantity: '1', refuse_reason: '破损' } : {}) }
        : {}

/** With two warehouses goods move between them; otherwise between locations of the one. */
function transferHeader(market: Market, chance: Chance, server: TestServer): Row {
  const [here, there] = [market.shelf[server], server === 'H01' ? market.ward : market.shelf[server]]
  const sister = server === 'D01' ? market.org.D02 : server === 'D02' ? market.org.D01 : null
  const type =
    server === 'H01' ? chance.one(['allot', 'borrow', 'move']) : sister ? chance.one(['across', 'move']) : 'move'
  if (type === 'across')
    return {
      transfer_type: type,
      counterparty_sn: sister,
      warehouse_model_inner_sn: here,
      attachments: [market.proof[server]],
    }
  return {
    transfer_type: type,
    warehouse_model_inner_sn: here,
    to_warehouse_model_inner_sn: type === 'move' ? here : there,
    ...(type === 'borrow' ? { due_date: day(3) } : {}),
  }
}

/** Money that is entered by hand: amounts, and for an opening what they are of. */
function amountsOf(chance: Chance, kind: string): Row[] {
  const taxed_amount = chance.one(['1000', '333.33', '0.01', '5800'])
  if (!kind.startsWith('opening')) return [{ taxed_amount }]
  return [
    {
      taxed_amount: chance.yes(0.2) ? `-${taxed_amount}` : taxed_amount,
      opened_on: day(-40),
      due_date: day(-10),
      invoice_no: `28${String(++invoices).padStart(18, '0')}`,
      summary_text: '上线前未结',
    },
  ]
}

/** Lines of a document without a source. */
export function linesOf(market: Market, chance: Chance, kind: string): Row[] {
  if (ofMoney.has(kind)) return amountsOf(chance, kind)
  const coded = chance.yes(0.5)
  const specification = coded ? market.coded : market.plain
  const quantity = chance.between(1, 6)
  const lot = chance.one(LOTS)
  if (kind === 'overflow') {
    const found = arriving({ specification: market.plain, lot, quantity, price: '33.33' })
    return [{ ...found, ...(chance.yes(0.5) ? { quality_state: 'unqualified' } : {}) }]
  }
  if (kind === 'scrap')
    return [{ specification_sn: market.plain, lot_no: lot, quantity: String(quantity), quality_state: 'unqualified' }]
  if (kind === 'otherGrn' || kind === 'openingStock')
    return [
      arriving({
        specification,
        lot,
        quantity,
        price: chance.one(['33.33', '40', '0.01']),
        ...(coded && chance.yes(0.7) ? { codes: newCodes(quantity) } : {}),
      }),
    ]
  if (kind === 'purchaseOrder' || kind === 'requisition')
    return [{ specification_sn: specification, quantity: String(quantity) }]
  return [
    {
      specification_sn: market.plain,
      quantity: String(quantity),
      ...(chance.yes(0.5) ? { lot_no: lot } : {}),
      ...(kind === 'transfer' ? { to_location: chance.one(['A-01', 'B-02']) } : {}),
    },
  ]
}
