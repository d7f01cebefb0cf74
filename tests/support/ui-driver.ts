import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Calls the server as the page does. */
// oxlint-disable-next-line typescript/no-explicit-any -- a story knows what it asked for
export const call = (page: Page, path: string, body?: object): Promise<any> =>
  page.evaluate(
    async ([to, sent]) => {
      const how = sent
        ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) }
        : {}
      return (await fetch(`/v1/business/${to}`, how)).json()
    },
    [path, body] as const,
  )

/** UI actions on a document of any kind, used by the warehouse day test. */
export function handsOn(page: Page, open: (route: string) => Promise<void>) {
  const card = page.locator('article:visible')
  const button = (name: string | RegExp) => card.getByRole('button', { name, exact: typeof name === 'string' })

  /** Selects in a header field by its label. */
  const choose = async (label: string, name: string) => {
    await card.getByRole('combobox', { name: label, exact: true }).click()
    await page.keyboard.type(name)
    await page.locator('.ant-select-item-option:visible').filter({ hasText: name }).first().waitFor()
    await page.keyboard.press('Enter')
  }
  /** Position of a grid column. */
  const columnAt = async (title: string) =>
    (await card
      .locator('[role=columnheader]')
      .filter({ hasText: new RegExp(`^${title}$`) })
      .evaluate(head => [...head.parentElement!.children].indexOf(head))) - 1
  const cell = (row: number, column: number) =>
    card.locator(`[role="gridcell"][data-at="${row - 1}"][data-column="${column}"]`)
  /** Pastes a block from Excel, starting at this column and row. */
  const paste = async (row: number, title: string, rows: readonly (readonly string[])[]) => {
    await cell(row, await columnAt(title)).click()
    await page.evaluate(text => navigator.clipboard.writeText(text), rows.map(cells => cells.join('\t')).join('\r\n'))
    await page.keyboard.press('Control+v')
  }
  /** The document's number, as its header shows it. */
  const snOf = async () => decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  const hands = {
    choose,
    paste,
    cell,
    columnAt,
    snOf,
    /** Starts a new document on a page. */
    begin: async (route: string) => {
      await open(`${route}/new`)
      await button('保存').waitFor()
    },
    /** Opens a document. */
    open: async (route: string, sn: string) => {
      await open(`${route}/${sn}`)
      await card.getByText(sn, { exact: true }).first().waitFor()
    },
    addLine: () =>
      button(/添加一行|添加行/)
        .first()
        .click(),
    save: async () => {
      await button('保存').click()
      await expect
        .poll(async () => (await snOf()) !== 'new' && !(await card.getByText('未保存', { exact: true }).isVisible()), {
          timeout: 30_000,
        })
        .toBe(true)
      return snOf()
    },
    /** Runs an action: confirms its preview and questions, and waits until the document is in the resulting state. */
    act: async (kind: string, name: string, states: readonly string[]) => {
      const sn = await snOf()
      await button(name).click()
      const go = page.getByRole('button', { name: /^确认/ }).and(page.locator(':visible:enabled'))
      await expect
        .poll(
          async () => {
            if (states.includes(String((await call(page, `${kind}/info?sn=${sn}`)).info?.state))) return true
            if (await go.first().isVisible())
              await go
                .first()
                .click({ timeout: 2_000 })
                .catch(() => null)
            return false
          },
          { timeout: 30_000, message: `${kind} ${sn} ${name}` },
        )
        .toBe(true)
      return sn
    },
  }
  return hands
}
