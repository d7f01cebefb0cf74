import type { Toolbox, AnswerModel, Piece } from '#server/assistant/answer-model.ts'
import { quoteOf } from '#server/assistant/answer-model.ts'

/** Sentences are sent one by one, so that long answers start at once. */
function* inSentences(text: string): Generator<string> {
  for (const part of text.match(/[^\n。；]+[。；]?\n*|\n+/g) ?? []) yield part
}

const GREETING = /^(你好|您好|在吗|hi|hello|嗨|早上好|下午好)[！!。.~～\s]*$/i
const THANKS = /^(谢谢|多谢|感谢|好的|知道了|明白了|ok)[你您啦了！!。.~～\s]*$/i
const introduction = `您好，我可以：

- 回答系统怎么用，例如“怎么红冲入库单”“什么是寄售”；
- 查您权限内的数据，例如“本月还有几张入库单待审核”“批号 B2407 在哪里”“库存不足的有哪些”“CG2611210001 到哪了”。

我只读取数据，不会修改任何单据。`

const nothingFound = `没有找到与这个问题相关的说明或数据。可以换个说法，例如：

- “怎么提交采购订单”“什么是定数包”；
- “本月还有几张入库单待审核”“批号 B2407 在哪里”“90天内到期的库存有哪些”。`

async function* fromHelp(toolbox: Toolbox): AsyncGenerator<Piece> {
  const sections = toolbox.help(toolbox.question)
  const [best, ...others] = sections
  if (!best) {
    yield { answer: nothingFound }
    return
  }
  yield { answer: `**${best.title}**\n\n` }
  for (const answer of inSentences(best.text)) yield { answer }
  if (others.length > 0) yield { answer: `\n\n相关说明：${others.map(section => `“${section.title}”`).join('、')}` }
  yield { answer: '', rich_text_ref: sections.map(quoteOf) }
}

/** The built-in model without an external service: the first tool that matches the question, else the help pages. */
export const builtIn: AnswerModel = async function* (toolbox) {
  if (GREETING.test(toolbox.question)) {
    yield { answer: introduction }
    return
  }
  if (THANKS.test(toolbox.question)) {
    yield { answer: '不客气，随时可以再问。' }
    return
  }
  for (const tool of toolbox.tools) {
    const args = tool.matches(toolbox.question)
    if (args === null) continue
    const finding = await toolbox.use(tool, args)
    for (const answer of inSentences(finding.text)) yield { answer }
    yield { answer: '', reference: finding.links }
    return
  }
  yield* fromHelp(toolbox)
}
