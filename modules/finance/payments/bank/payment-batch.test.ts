import { afterAll, beforeAll, expect } from 'vitest'
import { expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { paymentOver } from '#tests/support/money.ts'
import { uploadFile } from '#tests/support/picture.ts'
import { story } from '#tests/support/steps.ts'

/** 付款批次: payments go to the bank in one file, and its answer is noted on each. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const payment = (amount: string) => paymentOver(scene.hospital, scene.finance, scene.d, amount)
const generate = () =>
  scene.hospital.client.post('/v1/business/paymentBatch/generate', { pay_account: '工行6222000000000001' })
const answer = async (rows: readonly string[]) =>
  uploadFile(
    scene.hospital,
    '回盘.csv',
    Buffer.from(['收款账号,金额,附言,交易状态,失败原因,流水号', ...rows].join('\n')),
  )
const transfers = async (batch_no: string) =>
  (await scene.hospital.client.get('/v1/report/bankTransfer', { batch_no })).list as Record<string, string>[]

let [batch, first, second, third] = ['', '', '', '']
story('a batch of payments, to the bank and back', step => {
  step('it lists each reviewed payment once, and goes to the bank when a second person reviewed it', async () => {
    const { hospital, finance } = scene
    expectMessage(await generate(), '没有待付款的电汇或网银付款单')
    first = await payment('1000')
    second = await payment('200')
    third = await payment('30')
    const { info } = await generate()
    batch = info.sn
    expect(info.result).toBe('已列入3张付款单')
    expectMessage(await generate(), '没有待付款的电汇或网银付款单')
    await hospital.done('paymentBatch', 'submit', batch)
    expect(await transfers(batch)).toEqual([])
    expect((await hospital.do('paymentBatch', 'review', batch)).code).not.toBe(0)
    await finance.done('paymentBatch', 'review', batch)
    expect(await transfers(batch)).toMatchObject([
      { place: 1, amount: '1000.00', currency: '人民币', payment_no: first },
      { place: 2, amount: '200.00', payment_no: second },
      { place: 3, amount: '30.00', payment_no: third },
    ])
  })

  step('its answer pays what succeeded; what failed or differs is told with its reason', async () => {
    const { hospital } = scene
    expectMessage(await hospital.do('paymentBatch', 'readReturn', batch), '请选择银行回盘文件')
    const wrong = await uploadFile(hospital, '别的.csv', Buffer.from('甲,乙\n1,2'))
    expectMessage(
      await hospital.do('paymentBatch', 'readReturn', batch, { return_file: [wrong] }),
      '文件【别的.csv】没有认出交易状态、金额所在的列，请指定',
    )
    const some = await answer([`,1000.00,${first},交易成功,,YH-900`, `,200.00,${second},交易失败,账号不存在,`])
    await hospital.done('paymentBatch', 'readReturn', batch, { return_file: [some] })
    expect(await hospital.info('payment', first)).toMatchObject({ state: 'completed', bank_serial_no: 'YH-900' })
    expect((await hospital.info('payment', second)).state).toBe('reviewed')
    const half = await hospital.info('paymentBatch', batch)
    expect(half.state).toBe('reviewed')
    expect(half.lines.map((line: Record<string, string>) => [line.transfer_result, line.fail_reason ?? ''])).toEqual([
      ['paid', ''],
      ['failed', '账号不存在'],
      ['waiting', ''],
    ])
    const rest = await answer([`,29.00,${third},交易成功,,YH-901`])
    await hospital.done('paymentBatch', 'readReturn', batch, { return_file: [rest] })
    const whole = await hospital.info('paymentBatch', batch)
    expect(whole).toMatchObject({ state: 'completed', lines: [{}, {}, { transfer_result: 'part' }] })
    expect((await hospital.info('payment', third)).state).toBe('reviewed')
  })

  step('what failed goes into the next batch', async () => {
    const { info } = await generate()
    const { lines } = await scene.hospital.info('paymentBatch', info.sn)
    expect(lines.map((line: { payment_no: string }) => line.payment_no)).toEqual([second, third])
    const late = await answer([`,200.00,${second},交易成功,,YH-899`])
    expectMessage(
      await scene.hospital.do('paymentBatch', 'readReturn', batch, { return_file: [late] }),
      `付款单${second}已列入批次${info.sn}，请在该批次中读取回盘文件，或先将其从该批次中移出`,
    )
    expect((await scene.hospital.info('payment', second)).state).toBe('reviewed')
  })

  step('an unknown word is asked and waits; entered as a word of the bank it is read', async () => {
    const { hospital, finance } = scene
    const [next] = await hospital.list('paymentBatch', { state: 'draft' })
    await hospital.done('paymentBatch', 'submit', next.sn)
    await finance.done('paymentBatch', 'review', next.sn)
    const rows = [`,200.00,${second},交易未成功,余额不足,`, `,30.00,${third},付讫,,YH-902`]
    const read = async (lines: readonly string[]) => {
      await hospital.done('paymentBatch', 'readReturn', next.sn, { return_file: [await answer(lines)] })
      const { state, lines: now } = await hospital.info('paymentBatch', next.sn)
      return [state, ...now.map((line: Record<string, string>) => line.transfer_result)]
    }
    expect(await read(rows)).toEqual(['reviewed', 'failed', 'asked'])
    const { lines } = await hospital.info('paymentBatch', next.sn)
    expect(lines[1].fail_reason).toBe('银行状态“付讫”含义不明，请在【回盘用语】登记后重新读取')
    expect((await hospital.info('payment', third)).state).toBe('reviewed')
    const word = { bank: '工行', word: '付讫', outcome: 'paid' }
    expect(await hospital.client.post('/v1/business/bankWord/add', word)).toMatchObject({ code: 0 })
    expectMessage(
      await hospital.client.post('/v1/business/bankWord/add', { ...word, outcome: 'failed' }),
      '该银行、列名下已有此用语，请修改原来的一行',
    )
    expect(await read(rows)).toEqual(['completed', 'failed', 'paid'])
    expect((await hospital.info('payment', third)).state).toBe('completed')

    // The bank tried again: a transfer that failed and then succeeded is in no other batch.
    expect(await read([`,200.00,${second},交易成功,,YH-903`])).toEqual(['completed', 'paid', 'paid'])
    expect((await hospital.info('payment', second)).state).toBe('completed')
    expectMessage(await generate(), '没有待付款的电汇或网银付款单')

    // 退汇 returns a payment: it has to be paid again, and is in the next batch.
    expect(await read([`,30.00,${third},退汇,户名不符,YH-904`])).toEqual(['completed', 'paid', 'returned'])
    expect(await hospital.info('payment', third)).toMatchObject({ state: 'reviewed', paid_on: null })
    const { info } = await generate()
    expect((await hospital.info('paymentBatch', info.sn)).lines).toMatchObject([{ payment_no: third }])
  })
})
