import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { registerModules } from '#app/register-modules.web.ts'
import { openPage } from '#tests/support/page/open-page.tsx'
import type { Wire } from '#tests/support/page/server.ts'

registerModules()

const ROUTE = '/commonView/surgicalUsageRecords'
const PATH = '/v1/business/surgeryUse'
const use: Wire = {
  sn: 'SSSY1',
  version: 2,
  state: 'draft',
  role: 'own',
  form_type: 'report',
  surgery_name: '全膝关节置换术',
  business_date: '2026-11-01',
  lines: [{ line_no: 1, specification_sn: '11', product_name: '膝关节', quantity: '1.000', base_quantity: '1.000' }],
  history: [],
  related: [],
  actions: ['edit', 'submit', 'sign'],
}

async function openUse({ answers = {} }: Pick<NonNullable<Parameters<typeof openPage>[1]>, 'answers'> = {}) {
  const page = await openPage(`${ROUTE}/SSSY1`, {
    org: 'H',
    operations: ['add', 'edit', 'submit', 'sign'],
    rights: ['price', 'profit', 'patient'],

    answers: {
      [`${PATH}/info`]: () => ({ info: use }),
      [`${PATH}/list`]: { list: [], total: 0 },
      [`${PATH}/sign`]: { info: { sn: 'SSSY1', version: 3 } },
      ...answers,
    },
  })
  await screen.findByRole('grid', { name: '明细' })
  return page
}

it('电子签名 without a signature stays open and says 请先签名; with one it is sent', async () => {
  const page = await openUse({
    answers: { '/v1/business/signature/capture': { info: { signature_sn: '77', signer_name: '乔护士' } } },
  })
  await page.user.click(screen.getByRole('button', { name: '电子签名' }))
  const dialog = within(await screen.findByRole('dialog'))
  await page.user.click(dialog.getByRole('button', { name: /确\s*定/ }))
  expect(dialog.getByRole('alert').textContent).toBe('请先签名')
  expect(page.server.to(`${PATH}/sign`)).toHaveLength(0)
  await page.user.click(dialog.getByText('工牌与PIN'))
  await page.user.type(dialog.getByLabelText('工牌号'), 'GP1{Enter}')
  await page.user.type(dialog.getByLabelText('签名PIN'), '246813{Enter}')
  expect(await dialog.findByText('乔护士')).toBeTruthy()
  expect(dialog.queryByRole('alert')).toBeNull()
  await page.user.click(dialog.getByRole('button', { name: /确\s*定/ }))
  await expect.poll(() => page.server.to(`${PATH}/sign`).length).toBe(1)
  expect(page.server.to('/v1/business/signature/capture')[0]!.values).toMatchObject({
    kind: 'surgeryUse',
    sn: 'SSSY1',
    method: 'badge',
    badge: 'GP1',
    pin: '246813',
  })
  expect(page.server.to(`${PATH}/sign`)[0]!.values).toMatchObject({ signature_sn: '77' })
})

it('of several operations the nurse chooses one, and its patient is filled in', async () => {
  const choice = (surgery_no: string, surgery_name: string) => ({
    label: `${surgery_name} 住院 ZY1`,
    fields: { patient_no: 'P1', patient_name: '步允执', admission_no: 'ZY1', surgery_no, surgery_name },
  })
  const page = await openUse({
    answers: {
      '/v1/business/his/bedside': {
        info: {
          from: 'his',
          said: null,
          fields: {},
          choices: [choice('OP1', '全膝关节置换术'), choice('OP2', '膝关节清创术')],
        },
      },
    },
  })
  await page.user.type(screen.getByLabelText('患者编号'), 'P1{Enter}')
  const choices = within(await screen.findByRole('group', { name: /^该患者有2个在院就诊或手术/ }))
  await page.user.click(choices.getByRole('button', { name: /膝关节清创术/ }))
  expect(screen.getByLabelText('手术编号')).toHaveProperty('value', 'OP2')
  expect(screen.getByLabelText('患者姓名')).toHaveProperty('value', '步允执')
  expect(screen.queryByRole('group', { name: /^该患者有/ })).toBeNull()
})
