import type { AnyDocument } from '#kernel/definition/document.ts'
import { typesLotDates } from '#kernel/rules/types-lot-dates.ts'
import { definePageRules } from '#server/rulebook/page-rule.ts'

const isReviewed = ({ actions }: AnyDocument): boolean => actions.review?.from.includes('submitted') === true
const isAlwaysByOthers = ({ actions }: AnyDocument): boolean => actions.review?.notByAuthor === true
const isUndone = ({ actions }: AnyDocument): boolean => 'unreview' in actions || 'redReverse' in actions
const isMadeFromOthers = ({ sourcing }: AnyDocument): boolean => (sourcing.sources?.length ?? 0) > 0
const takesOut = ({ posting }: AnyDocument): boolean => posting.stockDirection === 'out'

/** Rules of all documents of a nature; rules of single kinds stand in their rooms. */
export const documentRules = definePageRules(
  { place: 'document', chapter: '单据', pages: () => true },
  {
    ownPlaces: '只能为自己负责的仓库和科室开单、提交和审核；别的仓库、科室的单据不能操作。',
    otherOrganisations: '其他机构的单据查不到，也不能作为来源；对方发来的单据以副本形式出现在本机构。',
    dateAhead: {
      text: '单据日期不能晚于今天；机构设了可预填天数的，最多晚这么多天。',
      policy: 'dateAhead',
    },
    dateBack: {
      text: '单据日期早于可补录天数的，只有具备“补录更早日期”权限的人确认后才能提交。',
      policy: 'dateBack',
    },
    computedAmounts: '金额、税额由程序按数量、单价和税率计算，手工填写的合计不被采用。',
    otherPerson: {
      text: '编写、修改或提交过单据的人不能审核这张单据；机构开启“允许制单人自审”后可以。',
      policy: 'selfReview',
      pages: definition => isReviewed(definition) && !isAlwaysByOthers(definition),
    },
    alwaysOtherPerson: {
      text: '编写、修改或提交过单据的人不能审核这张单据，“允许制单人自审”对它不起作用。',
      pages: isAlwaysByOthers,
    },
    approvedIsFixed: { text: '审核通过的单据不能编辑，改错须反审核或红冲。', pages: isReviewed },
    undoneWhole: {
      text: '反审核或整单红冲之后，库存、账款、追溯记录和来源单的已执行数量与审核前完全相同。',
      pages: isUndone,
    },
    sourceNamed: { text: '选了来源类型就必须选择来源单，否则不能保存。', pages: isMadeFromOthers },
    sourceOnce: {
      text: '同一来源可以存多张草稿；提交时合计超过来源单剩余数量的被拒绝，并写明占用它的单据号。',
      pages: isMadeFromOthers,
    },
    priceByUnit: {
      text: '价格随单位走：按箱订、按支收，金额按换算后的份额计算，分次执行之和等于整单。',
      pages: isMadeFromOthers,
    },
  },
)

/** Rules of documents that move goods. */
export const stockRules = definePageRules(
  { place: 'stock', chapter: '库存', pages: takesOut },
  {
    unfitStays: {
      text: '已召回、已停售、已冻结和已过期的货物不能出库、发放或使用，除非单据就是为处理它们而设。',
      policy: 'expiredUse',
    },
    firstExpiryFirst: {
      text: '未指定批号的出库由程序按近效期先出推荐批号，可拆成多个批号；已过期的批号从不推荐。',
      policy: 'fefo',
    },
    shortageExplained:
      '库存不足时按整行合计说明需要多少、可用多少，并分别列出被占用、待处理停售、过期或属于其他机构的数量。',
    reservationFreed: '提交后占用的库存，在单据作废后随即释放，可以再开单。',
    lotDatesAgree: {
      text: '同一批号在本机构只有一个有效期至和生产日期，不一致的录入被拒绝；与厂商记录不一致的首次录入须确认。',
      pages: typesLotDates,
    },
    lotDatesPossible: { text: '生产日期不能晚于今天，有效期至不能早于生产日期。', pages: typesLotDates },
  },
)
