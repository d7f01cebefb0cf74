import { parseInteger } from '#kernel/values/integer.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { openDatabase } from '#server/plugins/database.ts'
import { seriousOn } from '../support/axe.ts'
import { story } from '../support/chromium.ts'
import { openSite, type Site } from '../support/site.ts'

/** The sign-in page as specified in sections 2, 4, 5, 8 and 9. */
const PASSWORD = 'Spd@2026'
const [BUYER, KEEPER] = ['13900008801', '13900008802']

let site: Site
let goods: { di: string; name: string }
beforeAll(async () => {
  site = await openSite({ documents: false })
  const database = await openDatabase(site.config)
  await database.owner`update app_user set phone = ${BUYER} where login = 'buyer'`
  await database.owner`update app_user set phone = ${KEEPER} where login = 'keeper'`
  await database.owner`update app_user set must_change = true where login = 'nurse'`
  const [released] = await database.owner<(typeof goods)[]>`
    select s.udi_di as di, p.name from specification s join product p on p.id = s.product_id
     where s.udi_di ~ '^[0-9]{14}$' and s.status = 'released' and p.status = 'released' order by s.id limit 1`
  goods = released!
  await database.close()
})
afterAll(() => site?.close())

const door = async (): Promise<Page> => {
  const page = await site.outsider()
  await page.goto('/Login')
  return page
}
const expectMessage = (where: Page | Locator, sentence: string) =>
  where.getByText(sentence, { exact: true }).first().waitFor()
const click = (where: Page | Locator, name: string | RegExp) => where.getByRole('button', { name }).click()

/** Drags the puzzle piece like a user, to where the outbox says its gap is. */
async function solvePuzzle(page: Page, { beside = false } = {}): Promise<void> {
  const dialog = page.getByRole('dialog', { name: '图片拼图验证' })
  const handle = dialog.getByRole('slider')
  await expect.poll(() => handle.getAttribute('aria-disabled')).toBe('false')
  const hole = parseInteger((await site.lastInOutbox('captcha')).answer)
  // Beside the gap, on the side with enough space: at the end of the track the piece would be stopped in the gap.
  const x = beside ? hole + (hole > 160 ? -40 : 40) : hole
  // The dialog opens with an animation: wait until the handle stops moving.
  const place = async () => JSON.stringify(await handle.boundingBox())
  await expect
    .poll(async () => {
      const before = await place()
      await page.waitForTimeout(80)
      return before === (await place())
    })
    .toBe(true)
  const box = (await handle.boundingBox())!
  const [left, top, way] = [box.x + 20, box.y + 20, (x * 344) / 320]
  await page.mouse.move(left, top)
  await page.mouse.down()
  for (let step = 1; step <= 20; step++) {
    await page.mouse.move(left + (way * step) / 20, top + (step % 4))
    await page.waitForTimeout(6 + (step % 5) * 3) // a real hand moves unevenly
  }
  await page.mouse.up()
}

/** Types the characters shown in the picture. */
async function readPicture(page: Page, box: Locator): Promise<void> {
  await page.getByAltText('图形验证码').last().waitFor()
  await box.fill((await site.lastInOutbox('captcha')).answer!)
}

describe('the sign-in page', () => {
  story('has two tabs; the password comes first and the one that was chosen is remembered', async () => {
    const page = await door()
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toBe('账号密码登录')
    await page.getByRole('tab', { name: '短信验证码登录' }).click()
    await page.reload()
    await page.getByLabel('手机号').waitFor()
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toBe('短信验证码登录')
    await expectMessage(page, '建议使用1920×1080分辨率及Chrome浏览器')
    await page.context().close()
  })

  story('by SMS: phone, puzzle, a countdown that outlives a reload, and the code', async () => {
    const page = await door()
    await page.getByRole('tab', { name: '短信验证码登录' }).click()
    await click(page, '登录')
    await expectMessage(page, '请填写手机号')
    await expectMessage(page, '请填写短信验证码')
    await page.getByLabel('手机号').fill('1390000')
    await page.getByRole('textbox', { name: '短信验证码' }).fill('12a')
    await click(page, '登录')
    await expectMessage(page, '请填写11位数的手机号')
    await expectMessage(page, '请填写由数字组成的短信验证码')
    await page.getByLabel('手机号').fill(BUYER)
    await click(page, '发送验证码')
    await solvePuzzle(page, { beside: true })
    await expectMessage(page, '拼图验证未通过，请重新拖动滑块')
    await solvePuzzle(page)
    await expectMessage(page, '验证码发送成功，请在5分钟内尽快输入。')
    const resend = page.getByRole('button', { name: /秒后重新发送/ })
    await expect.poll(() => resend.isDisabled()).toBe(true)
    await page.reload()
    await resend.waitFor()
    const left = parseInteger(/\d+/.exec((await resend.textContent()) ?? '')?.[0])
    expect(left).toBeGreaterThan(30)
    expect(left).toBeLessThanOrEqual(60)
    // a stored countdown of three seconds or less is not worth waiting for
    await page.evaluate(() => localStorage.setItem('sms-countdown', JSON.stringify({ left: 3, at: Date.now() })))
    await page.goto('/error')
    await page.goto('/Login')
    await page.getByRole('button', { name: '发送验证码' }).waitFor()
    await expect.poll(() => page.getByLabel('手机号').inputValue()).toBe(BUYER)
    await page.getByRole('textbox', { name: '短信验证码' }).fill((await site.lastInOutbox('sms', BUYER)).code!)
    await page.keyboard.press('Enter')
    await expectMessage(page, '登录成功')
    await page.getByRole('heading', { name: '工作台' }).waitFor()
    const cookies = (await page.context().cookies()).map(cookie => cookie.name)
    expect(cookies).toEqual(
      expect.arrayContaining(['loginStatus', 'isUseSystem', 'userbelong', 'userSystemType', 'passwordCycle', 'userId']),
    )
    await page.context().close()
  })

  story('a forgotten password is set anew in two steps, with the picture of letters between', async () => {
    const page = await door()
    await click(page, '重置密码')
    const dialog = page.getByRole('dialog', { name: '重置密码' })
    await click(dialog, '下一步')
    await expectMessage(dialog, '请输入手机号码')
    await dialog.getByLabel('手机号').fill('23900000000')
    await click(dialog, '获取验证码')
    await expectMessage(dialog, '手机号码格式输入有误')
    await dialog.getByLabel('手机号').fill(KEEPER)
    await click(dialog, '获取验证码')
    const picture = page.getByRole('dialog', { name: '图形验证', exact: true })
    await picture.getByAltText('图形验证码').waitFor()
    const before = await picture.getByAltText('图形验证码').getAttribute('src')
    await click(picture, '换一张图形验证码')
    await expect
      .poll(() =>
        picture
          .getByAltText('图形验证码')
          .getAttribute('src')
          .catch(() => before),
      )
      .not.toBe(before)
    await picture.getByLabel('图形验证码', { exact: true }).fill('  ')
    await click(picture, '确定')
    await expectMessage(page, '请填写正确格式的图形验证码')
    await picture.getByLabel('图形验证码', { exact: true }).fill('????')
    await click(picture, '确定')
    await expectMessage(page, '图形验证码错误，请重新输入')
    await readPicture(page, picture.getByLabel('图形验证码', { exact: true }))
    await click(picture, '确定')
    await expectMessage(page, '验证码发送成功，请在5分钟内尽快输入。')
    await dialog.getByLabel('验证码').fill('12345')
    await click(dialog, '下一步')
    await expectMessage(dialog, '请输入6位数字验证码')
    await dialog.getByRole('button', { name: /秒后重新获取/ }).waitFor()
    await dialog.getByLabel('验证码').fill('000000')
    await click(dialog, '下一步')
    await expectMessage(page, '短信验证码错误，请重新输入')
    // after a failed call another code can be requested
    await dialog.getByRole('button', { name: '获取验证码' }).waitFor()
    await dialog.getByLabel('验证码').fill((await site.lastInOutbox('sms', KEEPER)).code!)
    await click(dialog, '下一步')
    await dialog.getByLabel('新密码').waitFor()
    await click(dialog, '提交')
    await expectMessage(dialog, '密码不能为空')
    await dialog.getByLabel('新密码').fill('Another@1')
    await click(dialog, '提交')
    await expectMessage(dialog, '确认密码不能为空')
    await dialog.getByLabel('确认密码').fill('Another@2')
    await click(dialog, '提交')
    await expectMessage(dialog, '两次输入密码不相同，请重新输入')
    await dialog.getByLabel('确认密码').fill('Another@1')
    await page.keyboard.press('Enter')
    await expectMessage(page, '修改成功，请重新登陆。')
    await dialog.waitFor({ state: 'hidden' })
    await page.context().close()
  })

  story('an organisation registers: the first thing that is wrong is said, in the order of the form', async () => {
    const page = await door()
    await click(page, '立即注册')
    const dialog = page.getByRole('dialog', { name: '机构注册' })
    await click(dialog, '提交')
    await expectMessage(dialog, '请输入医院名称')
    await dialog.getByText('经销商', { exact: true }).click()
    await expect.poll(() => dialog.getByLabel('别名').count()).toBe(0)
    await click(dialog, '提交')
    await expectMessage(dialog, '请输入经销商名称')
    await dialog.getByLabel('经销商名称').fill('新来<的>公司')
    await click(dialog, '提交')
    await expectMessage(dialog, '经销商名称中请不要输入特殊字符')
    await dialog.getByLabel('经销商名称').fill('苏州新来演示医疗器械有限公司')
    await click(dialog, '发送验证码')
    await expectMessage(dialog, '请先填写图形验证码')
    await dialog.getByLabel('图形验证码', { exact: true }).fill('ab')
    await click(dialog, '发送验证码')
    await expectMessage(dialog, '请输入手机号码')
    await dialog.getByLabel('行政区划').click()
    for (const place of ['江苏省', '苏州市', '姑苏区'])
      await page.getByRole('menuitemcheckbox', { name: place }).click()
    await dialog.getByLabel('统一社会信用代码').fill('91320508MA1ABCDE3X')
    await dialog.getByLabel('地址').fill('平江路1号')
    await dialog.getByLabel('联系人').fill('沈一')
    await dialog.getByLabel('手机号').fill('13900009901')
    await readPicture(page, dialog.getByLabel('图形验证码', { exact: true }))
    await click(dialog, '发送验证码')
    await expectMessage(page, '验证码发送成功，请在5分钟内尽快输入。')
    await click(dialog, '提交')
    await expectMessage(dialog, '请填写短信验证码')
    await dialog.getByLabel('短信验证码').fill((await site.lastInOutbox('sms', '13900009901')).code!)
    const scan = dialog.locator('input[type=file]')
    await scan.waitFor({ state: 'hidden' })
    await scan.setInputFiles({ name: '执照.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
    await dialog.getByText('执照.pdf').waitFor()
    await dialog.getByLabel('邮箱（选填）').fill('shen@')
    await click(dialog, '提交')
    await expectMessage(dialog, '邮箱格式输入有误')
    await dialog.getByLabel('邮箱（选填）').fill('')
    await click(dialog, '提交')
    const notified = page.getByRole('dialog', { name: '注册成功' })
    await expect.poll(() => notified.textContent()).toMatch(/密码.*手机号/)
    await click(notified, '知道了')
    await dialog.waitFor({ state: 'hidden' })
    // The phone number is the first password, and the organisation waits for the platform.
    await page.getByLabel('登录账号').fill('13900009901')
    await page.getByLabel('登录密码').fill('13900009901')
    await page.keyboard.press('Enter')
    await expectMessage(page, '机构正在审核中，请耐心等待')
    await page.context().close()
  })

  story('whoever must change the password does so before anything else, and signs in again', async () => {
    const page = await door()
    await page.getByLabel('登录账号').fill('nurse')
    await page.getByLabel('登录密码').fill(PASSWORD)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: '登录密码-修改' })
    await expect.poll(() => dialog.getByLabel('用户名').inputValue()).toBe('nurse')
    await expect.poll(() => dialog.getByLabel('用户名').isEditable()).toBe(false)
    await click(dialog, '提交')
    for (const field of ['当前密码', '登录密码', '再次输入登录密码'])
      await expectMessage(dialog, `【${field}】输入不能为空`)
    await page.keyboard.press('Escape')
    await dialog.getByLabel('当前密码').fill(PASSWORD)
    await dialog.getByLabel('登录密码', { exact: true }).fill('Nurse@2026')
    await dialog.getByLabel('再次输入登录密码').fill('Nurse@2027')
    await click(dialog, '提交')
    await expectMessage(dialog, '两次登录密码输入不一致')
    await dialog.getByLabel('再次输入登录密码').fill('Nurse@2026')
    await click(dialog, '提交')
    await expectMessage(page, '已成功修改登录密码，请重新登录')
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => page.context().cookies()).toEqual([])
    await page.getByLabel('登录密码').fill('Nurse@2026')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '工作台' }).waitFor()
    await page.context().close()
  })

  story('axe finds nothing serious on it in either theme, nor in its dialogs', async () => {
    const page = await door()
    for (const theme of ['浅色', '深色']) {
      if (theme === '深色') await click(page, '切换到深色')
      const found = async (where: string, within?: string) =>
        expect({ theme, where, found: await seriousOn(page, within) }).toEqual({ theme, where, found: [] })
      await page.getByRole('tab', { name: '短信验证码登录' }).click()
      await found('SMS')
      await page.getByRole('tab', { name: '账号密码登录' }).click()
      await found('password')
      for (const [button, dialog] of [
        ['立即注册', '机构注册'],
        ['重置密码', '重置密码'],
      ] as const) {
        await click(page, button)
        await page.getByRole('dialog', { name: dialog }).waitFor()
        await found(dialog, '.ant-modal')
        await page.keyboard.press('Escape')
        await page.getByRole('dialog', { name: dialog }).waitFor({ state: 'hidden' })
      }
    }
    await page.context().close()
  })

  story('the link of a label opens on a phone that nobody is signed in on, and shows the goods alone', async () => {
    const page = await site.outsider()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/01/${goods.di}/10/LOT%2F1/21/S1?17=281231`)
    for (const fact of [goods.name, 'LOT/1', '2028-12-31']) await expectMessage(page, fact)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expect.poll(() => page.getByRole('link').count()).toBe(0)
    expect(await seriousOn(page)).toEqual([])
    await page.goto('/01/06901234567892/10/X')
    await expectMessage(page, '没有查到产品标识06901234567892对应的产品，请核对包装上的产品标识')
    await page.context().close()
  })
})
