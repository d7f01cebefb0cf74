import { definePrint } from '#kernel/print/print-definition.ts'
import { column } from '#modules/platform/prints/sheets/print-columns.ts'

type Wording = { readonly heading?: string; readonly text: readonly string[] }
/**
 * An article of the default text. `frame`: its wording if prices are agreed for a period and quantities follow by
 * orders; `lent`: if the goods stay the seller's until they are used.
 */
type Variant = 'frame' | 'lent'
type Article = Wording & { readonly heading: string } & { readonly [V in Variant]?: Wording }

const accepted = '甲方凭随货同行单逐批验收，外观、标签、效期或证明文件不符的，有权当场拒收，由乙方取回。'

/** The clauses for an organisation without clauses of its own. */
const articles: readonly Article[] = [
  {
    heading: '产品、数量与价款',
    text: ['产品名称、规格型号、注册证号、数量与含税单价以本合同产品清单为准。'],
    frame: {
      heading: '产品与价格',
      text: [
        '产品名称、规格型号、注册证号与含税单价以本合同产品清单为准；数量以甲方在本合同有效期内的采购订单为准，甲方不承诺最低采购量。',
        '本合同有效期自{有效期起}起至{有效期止}。有效期内任何一方调整价格，须经双方书面确认。',
      ],
    },
    lent: {
      heading: '寄售产品与价格',
      text: [
        '寄售产品的名称、规格型号、注册证号、数量与含税单价以本合同产品清单为准。',
        '寄售产品在甲方使用前所有权归乙方，甲方负责按标签标示的条件保管，并配合乙方盘点；未使用的产品乙方可以取回或更换。',
      ],
    },
  },
  {
    heading: '质量标准',
    text: [
      '乙方保证所供医疗器械持有有效的注册证或备案凭证，符合经注册或备案的产品技术要求，并随货提供合格证明文件。',
      '乙方保证其生产或经营许可（备案）在供货期间有效，且所供产品在其经营范围和授权范围之内。',
    ],
  },
  {
    heading: '交货与验收',
    text: ['乙方按清单所列日期将货物送达甲方收货地址，运输条件应符合产品说明书和标签标示的要求。', accepted],
    frame: {
      text: ['乙方按订单约定的日期将货物送达甲方收货地址，运输条件应符合产品说明书和标签标示的要求。', accepted],
    },
  },
  {
    heading: '货款结算',
    text: ['甲方验收入库并收到乙方开具的合法发票后，按双方约定的账期支付货款。'],
    lent: { text: ['双方按甲方实际使用的数量定期结算；甲方收到乙方开具的合法发票后，按双方约定的账期支付货款。'] },
  },
  {
    heading: '售后与召回',
    text: ['产品存在质量问题或被召回的，乙方负责退换并承担由此产生的费用，甲方应配合提供流向信息。'],
  },
  { heading: '违约责任', text: ['任何一方违反本合同的，应赔偿对方因此遭受的损失。'] },
  {
    heading: '争议解决',
    text: ['因本合同发生的争议由双方协商解决；协商不成的，提交甲方所在地有管辖权的人民法院处理。'],
  },
  { heading: '其他', text: ['本合同一式两份，甲乙双方各执一份，自双方盖章之日起生效。'] },
]

const numerals = [...'一二三四五六七八九十']
const numbered = (all: readonly Article[], variant?: Variant): string =>
  all
    .flatMap((article, at) => {
      const { heading = article.heading, text: expectMessage } = (variant && article[variant]) ?? article
      return [`第${numerals[at]}条 ${heading}`, ...expectMessage]
    })
    .join('\n')
const inFull = (variant?: Variant): string => numbered(articles, variant)
const validity = '本协议自{有效期起}起至{有效期止}有效；双方续签前，已供货的产品仍适用本协议。'

/** The articles beside prices: who brings goods to whom, and who answers for their quality. */
const delivery: readonly Article[] = [
  { heading: '服务内容', text: ['乙方按甲方的订单配送医疗器械，负责运输、装卸、随货资料的交接及甲方指定地点的上架。'] },
  { heading: '配送要求', text: ['运输条件应符合产品说明书和标签标示的要求，冷链产品随附全程温度记录；', accepted] },
  { heading: '费用与结算', text: ['双方按约定的费用标准定期结算，甲方收到乙方开具的合法发票后付款。'] },
  { heading: '有效期', text: [validity] },
]
const quality: readonly Article[] = [
  {
    heading: '质量责任',
    text: [
      '乙方保证所供医疗器械持有有效的注册证或备案凭证，符合经注册或备案的产品技术要求，并随货提供合格证明文件。',
      '乙方保证其生产或经营许可（备案）在供货期间有效，并在变更后及时向甲方提供更新的资料。',
    ],
  },
  { heading: '验收与退换', text: [accepted, '使用中发现质量问题的，乙方负责退换并承担由此产生的费用。'] },
  { heading: '不良事件与召回', text: ['双方按规定报告不良事件；产品被召回的，乙方及时通知甲方，甲方提供流向信息。'] },
  { heading: '售后服务', text: ['乙方提供产品使用所需的技术支持和培训。'] },
  { heading: '有效期', text: [validity] },
]

/**
 * 购销合同: printed from an order of the buyer or the seller, or from prices agreed for a period; its text comes from
 * the template; in force once the order is. Prices agreed for a period print with the amount of their contract, if it
 * has one, and under the name of its type.
 */
export const contractPrint = definePrint({
  route: '/newprint/contractPrint',
  title: '购销合同',
  kinds: { purchaseOrder: null, salesOrder: null, priceRegistration: null },
  besides: '打印合同',
  papers: [{ paper: 'A4', lines: 60 }],
  // Right: space for the seal across the edges of all pages.
  margins: { top: 14, right: 15, bottom: 8, left: 15 },
  marks: { draft: '未生效', rejected: '未生效', submitted: '未生效' },
  contract: {
    buyers: {
      purchaseOrder: 'org',
      salesOrder: 'counterparty',
      priceRegistration: { by: 'price_side', is: { buy: 'org', sell: 'counterparty' } },
    },
    clauses: inFull(),
    lent: { title: '寄售协议', clauses: inFull('lent') },
    frame: {
      kinds: ['priceRegistration'],
      title: '购销框架合同',
      clauses: inFull('frame'),
      amount: 'contract_amount',
      type: 'contract_type',
      types: {
        consignment: { title: '寄售协议', clauses: inFull('lent') },
        delivery: { title: '配送服务合同', clauses: numbered(delivery) },
        quality: { title: '质量保证协议', clauses: numbered(quality) },
      },
    },
  },
  header: [
    ['合同编号', 'contract_number'],
    ['签订地点', 'signing_place'],
    ['签订日期', 'business_date'],
    ['有效期起', 'valid_from'],
    ['有效期至', 'valid_to'],
  ],
  columns: [
    { ...column.product_name, share: 17 },
    { ...column.specification_name, share: 13 },
    { ...column.manufacturer_name, share: 15 },
    { ...column.registration_no, share: 17 },
    { ...column.unit_name, share: 6 },
    { ...column.quantity, share: 7, optional: true },
    { ...column.price, share: 10 },
    { ...column.tax_rate, share: 6 },
    { ...column.amount, share: 11, optional: true },
    { name: 'expected_date', label: '交货期', share: 12, optional: true },
    { ...column.remark, optional: true },
  ],
  signatures: ['法定代表人/委托代理人', '日期'],
  carrier: 'qrcode',
})
