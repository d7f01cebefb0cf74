import { defineDocument, type Paper } from '#kernel/document.ts'
import { f } from '#kernel/field.ts'
import { postingLifecycle } from '#kernel/lifecycle.ts'
import { outside, store } from '#kernel/posting.ts'
import {
  codesMatchQuantity,
  everyLineHasLot,
  fitToLeave,
  hasLines,
  needs,
  own,
  positiveQuantity,
} from '#modules/guards.ts'
import { costedGoods, ownGoods } from '#modules/issues/issued-goods.ts'
import { moved } from '#modules/moves.ts'

/** Kinds that come home: until when is written down. */
const lent = ['loan', 'exhibition']
const fit = fitToLeave((lot, why) => `批号${lot}为${why}状态，不能出库`)
const typeOf = (doc: Paper): string => String(own(doc, 'odo_type'))

/**
 * 其他出库单: goods leave the store for another reason than sale, grant or loss: samples, tests, exhibitions, loans. They leave at
 * cost and nobody owes for them; what was lent comes home by a receipt of the same lots and pieces.
 */
export const otherOdo = defineDocument({
  kind: 'otherOdo',
  title: '其他出库单',
  prefix: 'QTCK',
  family: 'stockOut',
  keptBy: 'HDV',
  billType: 'OTHERSALEODO',
  goods: 'out',
  costed: 'leaving',
  reserves: true,
  main: 'give_back',
  derives: { give_back_state: 'give_back' },
  figures: { given_back_quantity: { label: '已归还数量', purpose: 'give_back', of: 'quantity' } },
  derivedWords: {
    give_back_state: { label: '归还状态', choices: { 1: '未归还', 2: '部分归还', 3: '已归还' } },
  },
  stateNames: { partial: '部分归还', completed: '已归还' },
  header: {
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    odo_type: f.pick(
      '出库类型',
      {
        sample: '样品',
        inspect: '检验/送检',
        exhibition: '展会',
        own_use: '自用',
        produce: '生产领料',
        trial: '临床试验',
        loan: '借出',
        other: '其他',
      },
      { default: 'other' },
    ),
    counterparty_sn: f.ref('领用单位', 'organisation'),
    department_inner_sn: f.ref('领用部门', 'department'),
    receiver: f.text('领用人', { max: 40 }),
    purpose_note: f.text('用途', { max: 200 }),
    is_returnable: f.flag('是否归还', { readOnly: true }),
    return_due: f.day('预计归还日期'),
    handler_inner_sn: f.ref('经办人', 'employee'),
    business_date: f.day('出库日期'),
    taxed_amount: f.amount('成本金额', { readOnly: true }),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('审批附件'),
  },
  lines: costedGoods,
  actions: {
    ...postingLifecycle({
      submit: [
        hasLines,
        needs('warehouse_model_inner_sn', '请选择仓库'),
        needs('purpose_note', '请填写用途'),
        doc => !lent.includes(typeOf(doc)) || Boolean(own(doc, 'return_due')) || '请填写预计归还日期',
        positiveQuantity,
        everyLineHasLot,
        // Only what is to be examined may be unfit.
        doc => typeOf(doc) === 'inspect' || fit(doc),
        codesMatchQuantity,
        ownGoods('寄售货物不能办理其他出库，请退回货主'),
      ],
      taken: '货物已归还，不能反审核',
    }),
    giveBack: { label: '登记归还', from: ['reviewed', 'partial'], to: null, tone: 'primary' },
  },
  posts: (doc, book) => ({
    moves: doc.lines.map(line =>
      moved(line, book, 'issue', store(doc.warehouse_model_inner_sn, line.location), outside()),
    ),
  }),
  scans: {},
  screens: [
    {
      route: '/commonView/saleOdoOthers',
      title: '其他出库',
      orgs: 'HDV',
      menu: '出库管理',
      purpose: '样品、送检、展会、借出等非销售出库，借出的按批号与院内码归还',
      columns: [
        'sn',
        'odo_type',
        'warehouse_model_inner_sn',
        'counterparty_sn',
        'department_inner_sn',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'purpose_note',
        'is_returnable',
        'return_due',
        'given_back_quantity',
        'give_back_state',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'odo_type',
        'warehouse_model_inner_sn',
        'counterparty_sn',
        'department_inner_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'handler_inner_sn',
        'give_back_state',
        'state',
      ],
    },
  ],
})
