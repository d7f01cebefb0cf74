import { defineForeignTable } from '#kernel/tables/foreign-table.ts'

const STATE = /状态|结果|处理情况/
/** Columns with the progress of the order among the payer's own people; they do not contain the bank's result. */
const OURS = /经办|复核|审核|审批|授权|制单|录入|提交|客户/
/** Columns about the check of an account's name, a slip or a message do not contain the result of the transfer. */
const BESIDE = /校验|验证|核对|打印|回单|对账|通知|短信/
/** Columns with the bank's result of the transfer, before those that only confirm the order. */
const BANKS = [/交易|转账|汇款|支付|付款|入账|到账|清算/, /银行|处理|指令/, /./]
const AMOUNT = /金额/
const FEE = /手续费|汇划费|工本费/
const DONE_AT = /交易|处理|完成|入账|记账|更新|回执/

type Titles = readonly string[]
const all = (titles: Titles, fits: (title: string) => boolean): readonly number[] =>
  titles.flatMap((title, at) => (title !== '' && fits(title) ? [at] : []))
const first = (title: RegExp) => (titles: Titles) => all(titles, each => title.test(each)).slice(0, 1)

/** The bank's own state column; none if the file has only states of the payer's own people. */
function findState(titles: Titles): readonly number[] {
  const states = all(titles, title => STATE.test(title) && !OURS.test(title) && !BESIDE.test(title))
  const found = BANKS.map(bank => states.find(at => bank.test(titles[at]!))).find(at => at !== undefined)
  return found === undefined ? [] : [found]
}

/** The bank's own number of the transfer, and not the payer's. */
const findSerial = (titles: Titles): readonly number[] =>
  all(
    titles,
    title => /流水号|交易序号|回单号|凭证号/.test(title) && !/商户|客户|企业|财务|内部|批次/.test(title),
  ).slice(0, 1)

/** The column of the time: the bank's own first, then those of the payer's people. */
const moment = (of: RegExp) => (titles: Titles) => {
  const found = all(titles, title => of.test(title) && !OURS.test(title))
  return found.toSorted((a, b) => (DONE_AT.test(titles[b]!) ? 1 : 0) - (DONE_AT.test(titles[a]!) ? 1 : 0))
}

/** True for a statement of an account, with its balance or its direction: this is no answer to a batch. */
const isStatement = (titles: Titles): boolean =>
  titles.some(title => /余额|^收[/／]?支$|借[/／]?贷|收付/.test(title)) ||
  (titles.some(title => /借方|支出|转出/.test(title)) && titles.some(title => /贷方|收入|转入/.test(title)))

/** 回盘文件: a bank's answers to the transfers of a batch, with its headings near the top. */
export const returnTable = defineForeignTable({
  kind: 'bankReturn',
  title: '银行回盘文件',
  origin: '网银批量转账结果中下载的 Excel 或 CSV 文件',
  deepest: 30,
  longest: 20,
  resembles: [{ title: '账户流水（对账单）', is: isStatement }],
  columns: {
    state: { label: '交易状态', hint: '银行写明成功或失败的列', example: '交易成功', required: true, find: findState },
    amount: {
      label: '金额',
      example: '1,450.00',
      required: true,
      find: titles => all(titles, title => AMOUNT.test(title) && !FEE.test(title)),
    },
    reason: { label: '失败原因', example: '账号户名不符', find: first(/原因|备注信息|返回信息|错误/) },
    serial: { label: '银行流水号', example: 'YH2611260001', find: findSerial },
    fee: { label: '手续费', example: '3.50', find: first(FEE) },
    day: { label: '日期', hint: '同一笔有几行时，以最后的为准', example: '2026-11-26', find: moment(/日期/) },
    time: { label: '时间', example: '14:30:00', find: moment(/时间/) },
  },
})
