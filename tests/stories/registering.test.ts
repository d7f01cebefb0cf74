import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { story } from '../support/chromium.ts'
import { md5 } from '../support/test-server.ts'
import { openSite, type Site } from '../support/site.ts'

/** From registration to the first sign-in, handled by the platform. */
let site: Site
let database: Database
beforeAll(async () => {
  site = await openSite({ documents: false })
  database = await openDatabase(site.config)
})
afterAll(async () => {
  await database?.close()
  await site?.close()
})

const post = async (path: string, body: object) =>
  (
    await fetch(`${site.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json()

async function captcha(): Promise<{ id: string; answer: string }> {
  const { info } = await (await fetch(`${site.url}/v1/captcha/code`)).json()
  const { answer } = await site.lastInOutbox('captcha', info.id)
  return { id: info.id, answer: answer! }
}

/** An applicant has no password yet: the code that is sent to the phone opens the door, or says why not. */
async function enterByCode(phone: string) {
  const { id, answer } = await captcha()
  await database.owner`update sms_code set sent_at = sent_at - interval '61 seconds'`
  await fetch(`${site.url}/v1/user/get_login_code/${phone}?${new URLSearchParams({ id, captchaResult: answer })}`)
  const { code } = await site.lastInOutbox('sms', phone)
  return post('/v1/loginByVerifyCode', { UserName: phone, VerifyCode: code! })
}

/** Registers as the dialog of the sign-in page does. */
async function register(name: string, phone: string, social_credit_code: string): Promise<void> {
  await post('/v1/register/sendMsg', { phone, ...(await captcha()) })
  const { code: verifyCode } = await site.lastInOutbox('sms', phone)
  const form = { system_type: '2', name, address: '样例路1号', registrant: '沈知节', registrant_phone: phone }
  const reply = await post('/v1/register/org', {
    ...form,
    administrative_division_sn: '320506',
    social_credit_code,
    verifyCode,
  })
  expect(reply.code, reply.msg).toBe(0)
}
const click = (where: Locator, name: string) => where.getByRole('button', { name }).click()
const line = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).first()
const openLine = (page: Page, name: string) =>
  line(page, name)
    .getByRole('button', { name: /查看|编辑/ })
    .click()

describe('the platform', () => {
  story(
    'is told of a registration at once; a click leads to it; passed, the registrant comes in and must change ' +
      'the password',
    async () => {
      const { page } = await site.visit('platform')
      await register('青梧新生器械有限公司', '13900009101', '91320506MA1QWXS101')
      const notified = page.getByText('经销商【青梧新生器械有限公司】提交了注册申请，请审核')
      await notified.click()
      await page.getByRole('heading', { name: '机构注册审核' }).waitFor()
      expect(decodeURIComponent(page.url())).toContain('name=青梧新生器械有限公司')
      await openLine(page, '青梧新生器械有限公司')
      await page.getByRole('button', { name: '通过', exact: true }).click()
      await line(page, '青梧新生器械有限公司').getByText('已通过').waitFor()
      const registrant = await site.outsider()
      await registrant.goto('/Login')
      await registrant.getByLabel('登录账号').fill('13900009101')
      await registrant.getByLabel('登录密码').fill('13900009101')
      await registrant.keyboard.press('Enter')
      const change = registrant.getByRole('dialog', { name: '登录密码-修改' })
      await change.getByLabel('当前密码').fill('13900009101')
      await change.getByLabel('登录密码', { exact: true }).fill('Mine@2026')
      await change.getByLabel('再次输入登录密码').fill('Mine@2026')
      await click(change, '提交')
      await change.getByText('请填写短信验证码').waitFor()
      await database.owner`update sms_code set sent_at = sent_at - interval '61 seconds'`
      await click(change, '获取验证码')
      const picture = registrant.getByRole('dialog', { name: '图形验证', exact: true })
      await picture.getByAltText('图形验证码').waitFor()
      const asked = registrant.waitForResponse(reply => reply.url().includes('/v1/captcha/code'))
      await click(picture, '换一张图形验证码')
      const { answer } = await site.lastInOutbox('captcha', (await (await asked).json()).info.id)
      await picture.getByLabel('图形验证码', { exact: true }).fill(answer!)
      await click(picture, '确定')
      await expect.poll(async () => (await site.lastInOutbox('sms', '13900009101')).template).toBe('change_pwd')
      await change.getByLabel(/短信验证码/).fill((await site.lastInOutbox('sms', '13900009101')).code!)
      await click(change, '提交')
      await registrant.getByText('已成功修改登录密码，请重新登录').waitFor()
      await change.waitFor({ state: 'hidden' })
      await registrant.getByLabel('登录密码').fill('Mine@2026')
      await registrant.keyboard.press('Enter')
      await registrant.getByRole('heading', { name: '工作台' }).waitFor()
    },
  )

  story('refuses with a reason that the registrant reads at the door', async () => {
    await register('青梧再来器械有限公司', '13900009102', '91320506MA1QWXS102')
    const { page, open } = await site.visit('platform')
    await open('/ptm/agencyManage/RegistAudit?name=青梧再来')
    await openLine(page, '青梧再来器械有限公司')
    await page.getByRole('button', { name: '不通过', exact: true }).click()
    await page.getByLabel(/不通过.*的原因/).fill('请补充经营许可证')
    await page.getByRole('button', { name: '确定' }).click()
    await line(page, '青梧再来器械有限公司').getByText('未通过').waitFor()
    const reply = await enterByCode('13900009102')
    expect(reply.msg).toBe('机构审核未通过：请补充经营许可证')
  })

  story('matches one that is on file, and says when none was chosen', async () => {
    await register('苏州栎舟演示医疗器械（有限）公司', '13900009103', '91320506MA1QWXS103')
    const { page, open } = await site.visit('platform')
    await open('/ptm/agencyManage/RegistAudit?name=栎舟演示')
    await openLine(page, '苏州栎舟演示医疗器械（有限）公司')
    await page.getByLabel('核对提示').getByText('名称相同').waitFor()
    await page.getByRole('button', { name: '匹配', exact: true }).click()
    await page.getByRole('button', { name: '确定' }).click()
    await page.getByText('请选择相关机构。').first().waitFor()
    // The loading icon of the last call may still be fading out of the button.
    await page.getByRole('button', { name: /^(loading )?匹配$/ }).click()
    const box = page.getByRole('combobox', { name: '相关机构' })
    await box.click()
    // The best match comes first, with the matching fields.
    await expect.poll(() => page.locator('.ant-select-item-option').first().textContent()).toContain('名称相同')
    await box.fill('栎舟演示')
    await page
      .getByRole('option', { name: /栎舟演示/ })
      .or(page.locator('.ant-select-item-option'))
      .first()
      .click()
    await page.getByRole('button', { name: '确定' }).click()
    await line(page, '苏州栎舟演示医疗器械（有限）公司').getByText('已通过').waitFor()
    const reply = await post('/v1/login', { userName: '13900009103', password: md5('13900009103') })
    expect(reply.info.user_info.org_name).toContain('栎舟演示')
  })
})

describe('an invited dealer', () => {
  story('finds the registration open and filled in by the link; a spent link says so', async () => {
    const { page, open } = await site.visit('vendor')
    await open('/commonView/dealerManagement?tab=邀请')
    await openLine(page, '霜桥演示医疗器械有限公司')
    const shown = page.getByLabel('注册链接')
    await expect.poll(() => shown.inputValue()).toContain('/Login?invite=')
    const link = await shown.inputValue()
    const guest = await site.outsider()
    await guest.goto(link)
    await guest.getByRole('dialog', { name: '机构注册' }).waitFor()
    await guest.getByText('邀请您成为其经销商').waitFor()
    await expect.poll(() => guest.getByLabel('经销商名称').inputValue()).toContain('霜桥演示医疗器械有限公司')
    await expect.poll(() => guest.getByLabel('手机号', { exact: true }).last().inputValue()).toBe('13900000921')
    await guest.goto(`${link}x`)
    await guest.getByText('邀请链接已使用或已过期，请联系邀请方重新生成').waitFor()
    // A manufacturer enters its own permit: no owner is requested, and ticked classes are added to the scope.
    await open('/commonView/myLic/vendor')
    await page.getByRole('heading', { level: 1, name: '我的证照（厂商）' }).locator('visible=true').waitFor()
    await page.getByRole('button', { name: '新增' }).locator('visible=true').last().click()
    const form = page.getByRole('dialog', { name: '新增证照' })
    await form.getByLabel('证照类型').click()
    await page.locator('.ant-select-item-option', { hasText: '医疗器械生产许可证' }).click()
    await expect.poll(() => form.getByLabel('持有机构').count()).toBe(0)
    await form.getByLabel('证照编号').fill('苏药监械生产许20260001号')
    await form.getByLabel('有效期起').fill('2026-01-01')
    await page.keyboard.press('Enter')
    await form.getByRole('switch').click()
    const classes = form.getByLabel('经营/生产/诊疗范围的分类')
    await classes.fill('6877')
    await page.locator('.ant-select-item-option', { hasText: '6877' }).click()
    const words = form.getByLabel('经营/生产/诊疗范围', { exact: true })
    await expect.poll(() => words.inputValue()).toBe('6877介入器材')
    await words.fill('6877介入器材，6815注射穿刺器械')
    await form.getByText('6815 注射穿刺器械').waitFor()
    await form.getByRole('button', { name: '保存' }).click()
    // The scope is long: it is read in the licence, which is titled by its number.
    await page.getByRole('row', { name: /苏药监械生产许20260001号/ }).click()
    await page
      .getByRole('dialog', { name: /苏药监械生产许20260001号/ })
      .getByText('6815注射穿刺器械')
      .waitFor()
  })
})
