import { wholePieces } from '#kernel/values/decimal.ts'
import type { Reply } from '../../support/test-server.ts'
import { day } from '../../support/story.ts'
import type { Chance } from './random.ts'
import { type Market, personAt } from './fuzz-world.ts'
import { extrasOf, headerOf, linesOf, ofMoney, type TestServer } from './documents.ts'

/** What every organisation does internally. */
const indoors = ['loss', 'overflow', 'scrap', 'transfer', 'stopSale', 'otherOdo', 'giveOdo', 'stockCorrection'] as const
/** What sellers and buyers do with money: in advance, from before the start, set off. */
const sellers = [
  'prereceipt',
  'prereceiptOffset',
  'prereceiptRefund',
  'prereceiptTransfer',
  'openingReceivable',
  'accountStatement',
] as const
const buyers = [
  'prepayment',
  'prepaymentOffset',
  'prepaymentRefund',
  'prepaymentTransfer',
  'openingPayable',
  'accountStatement',
] as const
/** Documents the author may not approve. */
const signedByAnother =
  /\/(loss|overflow|scrap|stopSale|stockCorrection|prepayment|prereceipt|opening(Payable|Receivable))\/(review|check)$/
/** Documents that name a lot on hand, or a serial of it. */
const fromShelf = new Set([
  'saleOdo',
  'advanceSale',
  'grantOdo',
  'departmentUse',
  'surgeryUse',
  'loss',
  'scrap',
  'transfer',
  'stopSale',
  'otherOdo',
  'giveOdo',
])
/** Documents created here by the other side's document. */
const created = new Set(['saleReturn'])
/** What the receiver of a document does with its copy: a fee is agreed to and paid, a statement answered. */
const copied = new Set(['serviceCharge', 'accountStatement'])
/** Documents that matter to the test only once they take effect, by their approval or the action that is named. */
export const targets: readonly (readonly [server: TestServer, kind: string, by?: string])[] = [
  ['H01', 'purchaseReturn'],
  ['D01', 'saleReturn'],
  ['D01', 'advanceSale'],
  ['D01', 'advanceReturn'],
  ['H01', 'grantReturn'],
  ['H01', 'stopSale'],
  ['H01', 'surgeryUse'],
  ['H01', 'stockCorrection'],
  ['H01', 'prepayment'],
  ['D01', 'prereceipt'],
  ['H01', 'serviceCharge'],
  ['D01', 'accountStatement', 'submit'],
]

/** The kinds of document the users of each organisation work on. */
export const trades = {
  V01: [
    'otherGrn',
    'openingStock',
    'salesOrder',
    'advanceSale',
    'advanceReturn',
    'saleOdo',
    'saleReturn',
    'outboundInvoice',
    'receipt',
    ...sellers,
    ...indoors,
  ],
  D01: [
    'purchaseOrder',
    'purchaseGrn',
    'purchaseReturn',
    'salesOrder',
    'advanceSale',
    'advanceReturn',
    'saleOdo',
    'saleReturn',
    'outboundInvoice',
    'inboundInvoice',
    'receipt',
    'payment',
    'serviceCharge',
    'chargePayment',
    'chargeSetOff',
    ...sellers,
    ...buyers,
    'otherGrn',
    'arrivalOrder',
    'inspectionOrder',
    ...indoors,
    'transferArrival',
    'transferReturn',
  ],
  H01: [
    'purchaseOrder',
    'purchaseGrn',
    'purchaseReturn',
    'requisition',
    'dispatch',
    'grantOdo',
    'wardReceipt',
    'grantReturn',
    'departmentUse',
    'surgeryUse',
    'settlement',
    'settlementGrn',
    'inboundInvoice',
    'paymentApplication',
    'payment',
    'serviceCharge',
    'chargeReceipt',
    'chargeDeduction',
    ...buyers,
    'otherGrn',
    'arrivalOrder',
    'inspectionOrder',
    ...indoors,
    'transferReceipt',
    'transferReturn',
  ],
} as const
export type { TestServer } from './documents.ts'
/** What moves documents on. */
const forward = [
  'impact',
  'submit',
  'inspect',
  'check',
  'review',
  'confirm',
  'pay',
  'offset',
  'collect',
  'deduct',
  'setOff',
  'toAdvance',
  'refundPaid',
  'turn',
]
/** Actions far down the chain are pressed more often, or they would rarely be reached. */
const often: Readonly<Record<keyof typeof trades, readonly string[]>> = {
  V01: [],
  D01: ['settlement', 'settlement', 'saleOdo', 'purchaseGrn'],
  H01: [
    'departmentUse',
    'departmentUse',
    'departmentUse',
    'settlement',
    'settlement',
    'settlementGrn',
    'payment',
    'purchaseGrn',
  ],
}

/** One click and its result. */
export type Click = {
  readonly server: TestServer
  readonly path: string
  readonly body: unknown
  readonly reply: Reply
}

// oxlint-disable-next-line typescript/no-explicit-any -- replies of all kinds
type Row = any

const byHand: ReadonlySet<string> = new Set([
  'otherGrn',
  'openingStock',
  'purchaseOrder',
  'requisition',
  'saleOdo',
  'advanceSale',
  'grantOdo',
  'departmentUse',
  'surgeryUse',
  ...indoors.filter(kind => kind !== 'stockCorrection'),
  ...ofMoney,
])

const numberOf = (reply: Reply): string | null => (reply.code === 0 ? reply.info.sn : null)

/** A simulated user of an organisation: every click goes over HTTP and is recorded. */
/** `second`: use the organisation's second user. */
export function handsOf(market: Market, chance: Chance, server: TestServer, clicks: Click[], second = false) {
  const { client: usual } = second ? market.second[server] : personAt(market, server)
  const trade = server === 'D02' ? 'D01' : server
  const post = async (path: string, body: Row): Promise<Reply> => {
    const client = path.endsWith('payment/review')
      ? market.finance.client
      : signedByAnother.test(path)
        ? market.second[server].client
        : usual
    let reply = await client.post(path, body)
    if (reply.code === 2200) reply = await client.post(path, { ...body, confirm: reply.info.token })
    clicks.push({ server, path, body, reply })
    return reply
  }
  const get = async (path: string, query: Record<string, string>): Promise<Reply> => {
    const reply = await usual.get(path, query)
    clicks.push({ server, path, body: query, reply })
    return reply
  }

  /** Serials on hand here, as a scanner would read them. */
  async function scanned(store: string): Promise<Row[]> {
    const reply = await get('/v1/business/unitLabel/list', {
      specification_sn: market.coded,
      status: 'in_stock',
      pageSize: '50',
    })
    const here = (reply.list ?? []).filter(unit => unit.warehouse_model_inner_sn === store)
    return here.length === 0 ? [] : [{ unit_codes: chance.some(here, 3).map((unit: Row) => unit.code) }]
  }

  /** Starts a document of the kind as a user would; returns its number. */
  async function add(kind: string): Promise<string | null> {
    const top = headerOf(market, chance, server, kind)
    if (byHand.has(kind) && (ofMoney.has(kind) || chance.yes(0.6))) {
      const pieces = fromShelf.has(kind) && chance.yes(0.6) ? await scanned(top.warehouse_model_inner_sn) : []
      return numberOf(
        await post(`/v1/business/${kind}/add`, {
          ...top,
          lines: pieces.length > 0 ? pieces : linesOf(market, chance, kind),
        }),
      )
    }
    if (kind === 'settlement')
      return numberOf(
        await post('/v1/business/settlement/generate', {
          counterparty_sn: chance.one([market.org.D01, market.org.D02]),
          begin_date: day(-30),
          end_date: day(1),
        }),
      )
    if (kind === 'serviceCharge')
      return numberOf(
        await post('/v1/business/serviceCharge/generate', {
          counterparty_sn: chance.one([market.org.D01, market.org.D02]),
          begin_date: day(-30),
          end_date: day(),
          collect_method: chance.one(['alone', 'deduct']),
        }),
      )
    if (kind === 'accountStatement') return numberOf(await post('/v1/business/accountStatement/add', top))
    const open = await get(`/v1/business/${kind}/sources`, { pageSize: '20' })
    if (!open.list?.length) return null
    const first = chance.one(open.list)
    const same = chance.yes(0.5)
      ? [first]
      : open.list.filter(row => row.source_sn === first.source_sn && row.source_org_sn === first.source_org_sn)
    const part = (row: Row): Row => {
      const whole = Math.max(1, wholePieces(String(row.left ?? 1)))
      const quantity = chance.yes(0.5) ? whole : chance.between(1, whole)
      const codes: string[] = row.unit_codes ?? []
      const chosen = chance.some(codes, 50).slice(0, quantity)
      return {
        source_line_no: row.source_line_no,
        quantity: String(quantity),
        ...(codes.length > 0 ? { unit_codes: chosen } : {}),
        ...extrasOf(chance, kind, chosen),
      }
    }
    const { counterparty_sn: _counterparty, regime: _regime, ...rest } = top
    const reply = await post(`/v1/business/${kind}/add`, {
      ...rest,
      source_type: first.source_type,
      source_sn: first.source_sn,
      source_org_sn: first.source_org_sn,
      ...(chance.yes(0.3) ? {} : { lines: same.map(part) }),
    })
    return numberOf(reply)
  }

  /** Settlements and fees are the hospital's; a statement is anybody's. */
  const asReceiver = (kind: string): boolean =>
    kind === 'accountStatement' ? chance.yes(0.5) : (kind === 'settlement' || copied.has(kind)) && server !== 'H01'

  /** Opens a recent document and clicks one of its buttons. */
  async function press(kind: string, demand?: readonly string[]): Promise<void> {
    const query = {
      pageSize: '8',
      ...(asReceiver(kind) ? { role: 'counterparty' } : {}),
    } as Record<string, string>
    const listed = await get(`/v1/business/${kind}/list`, query)
    if (!listed.list?.length) return
    const { sn } = chance.one(listed.list)
    await click(kind, sn, query.role ? { role: query.role } : {}, demand)
  }

  /** Clicks one of the document's buttons, limited to those requested. */
  async function click(
    kind: string,
    sn: string,
    whose: Record<string, string>,
    demand?: readonly string[],
  ): Promise<void> {
    const { info } = await get(`/v1/business/${kind}/info`, { sn, ...whose })
    const wanted = (info?.actions ?? []).filter((name: string) => !demand || demand.includes(name))
    if (wanted.length === 0) return
    const action = chance.one<string>(wanted)
    const body: Row = { sn, version: info.version }
    if (action === 'edit') body.remark = `改${chance.below(1000)}`
    else if (action !== 'del') body.reason = '试'
    if (action === 'check') {
      body.conclusion = chance.one(['good', 'bad'])
      body.disposal = chance.one(['hold', 'release', 'scrap'])
    }
    const line = info.lines?.[0]
    if (action === 'redReverse' && line && chance.yes(0.5))
      body.lines = [
        {
          line_no: line.line_no,
          quantity: '1',
          ...(line.unit_codes?.length ? { unit_codes: [chance.one(line.unit_codes)] } : {}),
        },
      ]
    await post(`/v1/business/${kind}/${action}`, body)
  }

  /** A waiting draft created by the other side. */
  async function waiting(kind: string): Promise<string | null> {
    const { list } = await get(`/v1/business/${kind}/list`, { state: 'draft', pageSize: '20' })
    return list?.length ? chance.one<Row>(list).sn : null
  }

  /**
   * Works towards one document of the kind taking effect: started or found waiting, then all steps up to its
   * approval.
   */
  async function aim(kind: string): Promise<void> {
    const sn = created.has(kind) ? await waiting(kind) : await add(kind)
    if (sn === null) return
    for (const step of ['impact', 'submit', 'inspect', 'check', 'review']) await click(kind, sn, {}, [step])
  }

  /** One move: documents are advanced more often than started, and started more often than undone. */
  async function move(): Promise<void> {
    const kind = chance.one<string>([...trades[trade], ...often[trade]])
    const isTheirs = ['settlement', 'serviceCharge'].includes(kind) && server.startsWith('D')
    if (chance.yes(0.3) && !isTheirs) return void (await add(kind))
    if (chance.yes(0.75)) return press(kind, forward)
    return press(kind)
  }
  return { move, aim }
}
