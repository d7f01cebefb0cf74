import type { AskedColumns } from '#kernel/tables/foreign-table.ts'

/**
 * Every code that a reply may have. 0 is success; the Chinese text is the default message. The API docs are printed
 * from here.
 */
export const replyCodes = {
  wrongPassword: [1001, '账号或密码错误'],
  accountLocked: [1002, '账号已锁定，请15分钟后再试'],
  accountDisabled: [1003, '账号已停用'],
  organisationPending: [1004, '机构正在审核中，请耐心等待'],
  accountAmbiguous: [1005, '该手机号对应多个账号，请使用账号密码登录'],
  accountUnknown: [1006, '该手机号没有对应的账号，请先注册'],
  mustChangePassword: [1010, '请先修改密码'],
  tooMany: [1090, '操作过于频繁，请稍后再试'],
  captchaWrong: [1101, '图形验证码错误，请重新输入'],
  captchaGone: [1102, '图形验证码已失效，请刷新后重新输入'],
  puzzleWrong: [1103, '拼图验证未通过，请重新拖动滑块'],
  smsWrong: [1111, '短信验证码错误，请重新输入'],
  smsGone: [1112, '短信验证码已失效，请重新获取'],
  smsTooSoon: [1113, '验证码发送过于频繁，请稍后再试'],
  smsTooMany: [1114, '该手机号今日获取验证码的次数已用完，请明天再试'],
  smsFailed: [1115, '短信发送失败，请稍后再试'],
  phoneTaken: [1201, '手机号码已注册'],
  organisationTaken: [1202, '统一社会信用代码已注册'],
  forbidden: [403, '没有操作权限'],
  invalid: [2000, '填写内容有误，请检查'],
  staleVersion: [2100, '单据已被他人修改，请刷新后重试'],
  wrongState: [2101, '当前单据状态不允许该操作'],
  stockShort: [2102, '库存不足'],
  sourceExceeded: [2103, '数量不能大于来源单剩余数量'],
  expiredLicence: [2104, '证照已过期'],
  duplicate: [2105, '数据重复'],
  notFound: [2106, '数据不存在或已被删除'],
  requestReused: [2107, '重复的请求号'],
  blocked: [2108, '该单据已有后续业务，不能操作'],
  unitNotHere: [2109, '院内码不在库'],
  rule: [2110, '不符合业务规则'],
  question: [2200, '请确认后继续'],
  columns: [2201, '请指定文件中的列'],
  importFailed: [3000, '导入文件有误'],
  serviceError: [9999, '服务错误'],
} as const satisfies Record<string, readonly [number, string]>
export type BusinessErrorName = keyof typeof replyCodes

/** One thing to fix: the field by its wire name, the line by its number, and the message. */
export type Problem = { readonly field?: string; readonly line?: number; readonly msg: string }

/** A document named in a message: the reader gets a link to it. */
export type DocumentNamed = { readonly kind: string; readonly sn: string }

/**
 * An error that the user can fix. It has a Chinese message that names the cause and the next step, and changes
 * nothing.
 */
export class BusinessError extends Error {
  readonly reason: BusinessErrorName
  readonly problems: readonly Problem[]
  readonly document: DocumentNamed | null
  /** The id of the rule from which it follows, where the rulebook has it. */
  rule: string | null = null
  constructor(
    reason: BusinessErrorName,
    sentence?: string,
    problems: readonly Problem[] = [],
    doc: DocumentNamed | null = null,
  ) {
    super(sentence ?? problems[0]?.msg ?? replyCodes[reason][1])
    this.reason = reason
    this.problems = problems
    this.document = doc
  }
  /** The same refusal, which leads to this rule. */
  because({ id }: { readonly id: string }): this {
    this.rule = id
    return this
  }
  get code(): number {
    return replyCodes[this.reason][0]
  }
}

/** The columns of a file are not known: who sent it may say which they are, and sends the call again with that. */
export class ColumnsRequired extends BusinessError {
  readonly columns: AskedColumns
  constructor(sentence: string, columns: AskedColumns) {
    super('columns', sentence)
    this.columns = columns
  }
}

/** A question that the user may confirm to proceed: near expiry, over plan. */
export type Question = { readonly rule: string; readonly line?: number; readonly msg: string }

/** Raised when questions are open and the call did not confirm exactly these. */
export class ConfirmationRequired extends Error {
  readonly questions: readonly Question[]
  readonly token: string
  constructor(questions: readonly Question[], token: string) {
    super(questions.map(question => question.msg).join('；'))
    this.questions = questions
    this.token = token
  }
}
