import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { restoreSession } from '#web/engine/session/session.ts'
import { keptKey } from '#web/editor/document/kept-saves.ts'
import { KeptSaves } from '#web/shell/KeptSaves.tsx'
import { Surroundings } from '#tests/support/page/open-page.tsx'
import { type Answer, fakeServer } from '#tests/support/page/server.ts'

const PATH = '/v1/business/purchaseOrder'
const KEY = keptKey('1', 'a')
const kept = {
  key: KEY,
  kind: 'purchaseOrder',
  address: '/commonView/purchaseOrder/new',
  call: { path: `${PATH}/add`, values: { remark: '急' }, requestId: 'r-1' },
  next: { remark: '急用' },
}
beforeEach(() => localStorage.setItem(KEY, JSON.stringify(kept)))
afterEach(() => localStorage.clear())

/** The window opened again, of a user who had closed it without a connection. */
async function openAgain(answers: Readonly<Record<string, Answer>>) {
  const server = fakeServer('/commonView/purchaseOrder', { org: 'D', operations: [], rights: [] }, answers)
  await restoreSession()
  render(
    <Surroundings>
      <KeptSaves />
    </Surroundings>,
  )
  return server
}

it('what was saved offline in a window that was closed is sent once, under its own id, when one is opened', async () => {
  const server = await openAgain({
    [`${PATH}/add`]: { info: { sn: 'CG1', version: 1 } },
    [`${PATH}/edit`]: { info: { sn: 'CG1', version: 2 } },
  })
  expect(await screen.findByText('采购订单CG1：断网时填写的内容已保存')).toBeTruthy()
  expect(server.to(`${PATH}/add`).map(({ values, requestId }) => [values.remark, requestId])).toEqual([['急', 'r-1']])
  const [edit] = server.to(`${PATH}/edit`)
  expect(edit!.values).toMatchObject({ sn: 'CG1', version: '1', remark: '急用' })
  expect(localStorage.getItem(KEY)).toBeNull()
})

it('one that the server refuses stays, says why, and is given up only by the person', async () => {
  await openAgain({ [`${PATH}/add`]: { code: 1, msg: '请先选择供应商' } })
  expect(await screen.findByText('断网时填写的采购订单未能保存')).toBeTruthy()
  expect(screen.getByText('请先选择供应商')).toBeTruthy()
  expect(localStorage.getItem(KEY)).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '放弃内容' }))
  await waitFor(() => expect(localStorage.getItem(KEY)).toBeNull())
})

it('another user of the same browser sends nothing of it', async () => {
  const other = keptKey('2', 'a')
  localStorage.clear()
  localStorage.setItem(other, JSON.stringify({ ...kept, key: other }))
  const server = await openAgain({})
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(server.to(`${PATH}/add`)).toEqual([])
  expect(localStorage.getItem(other)).not.toBeNull()
})
