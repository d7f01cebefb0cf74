import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { restoreSession } from '#web/engine/session/session.ts'
import PicturePrint from '#web/print/pictures/PicturePrint.tsx'
import { isOfOthers, markOf, namesIn, pagesOf, type Picture } from '#web/print/pictures/pictures.ts'
import { Surroundings } from '#tests/support/page/open-page.tsx'
import { fakeServer, type Wire } from '#tests/support/page/server.ts'

const name = (letter: string) => `${letter.repeat(22)}.png`
const picture = (letter: string): Picture => ({
  name: name(letter),
  page: null,
  title: letter,
  facts: [],
  isExpired: false,
})

it('names that the file store gave are pictures; others are nothing', () => {
  expect(namesIn(`${name('a')},../etc/passwd,${name('a')},${name('b')}`)).toEqual([name('a'), name('b')])
  expect(namesIn(null)).toEqual([])
})

it('one, two or four pictures stand on a page', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map(picture)
  expect(pagesOf(five, 1).map(page => page.length)).toEqual([1, 1, 1, 1, 1])
  expect(pagesOf(five, 4).map(page => page.length)).toEqual([4, 1])
})

it('what is about others says what it is for', () => {
  expect(isOfOthers({ holder_type: 'own', holder_sn: '7' }, '9')).toBe(false)
  expect(isOfOthers({ holder_type: '2', holder_sn: '7' }, '9')).toBe(true)
  expect(isOfOthers({ holder_sn: '9' }, '9')).toBe(false)
  expect(isOfOthers({ origin: 'granted' }, '9')).toBe(true)
  expect(markOf('投标', '澄岚医院', '2026-11-26')).toBe('仅供投标使用 澄岚医院 2026-11-26')
})

const licence: Wire = {
  licence_no: '苏械经营许20260001',
  holder_sn: '7',
  holder_type: '2',
  licence_type: '医疗器械经营许可证',
  holder_name: '华东医械',
  valid_to: '2020-01-01',
  attachments: [name('a'), `${'b'.repeat(22)}.pdf`],
}
async function open(query: string, answers: Record<string, Wire>) {
  fakeServer('/commonView/licRecord/dealerLic', { org: 'H', operations: [], rights: [] }, answers)
  await restoreSession()
  render(
    <Surroundings>
      <PicturePrint query={new URLSearchParams(query)} />
    </Surroundings>,
  )
}

it('a licence prints its pictures with its facts, says that it is over, and asks what for before it goes', async () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  await open('kind=licence&sn=5', { '/v1/business/licence/info': { info: { ...licence, attachments: [name('a')] } } })
  expect(await screen.findByText('编号：苏械经营许20260001')).toBeTruthy()
  expect(screen.getByText('所属机构/产品：华东医械')).toBeTruthy()
  expect(screen.getByText('已过期')).toBeTruthy()
  // A file that is no picture is left out.
  expect(screen.getByText(/图片打印\s+共1张/)).toBeTruthy()
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: /^打\s*印$/ }))
  const field = await screen.findByRole('textbox', { name: /用途/ })
  await user.click(screen.getByRole('button', { name: /确\s*定/ }))
  expect((await screen.findAllByText('请填写用途')).length).toBeGreaterThan(0)
  expect(print).not.toHaveBeenCalled()
  await user.type(field, '投标')
  await user.click(screen.getByRole('button', { name: /确\s*定/ }))
  expect(await screen.findByText(/^仅供投标使用 示例单位 \d{4}-\d\d-\d\d$/)).toBeTruthy()
  // It waits for its picture; one that cannot be read leaves a frame with its name.
  expect(print).not.toHaveBeenCalled()
  screen.getByRole('img', { name: '医疗器械经营许可证' }).dispatchEvent(new Event('error'))
  expect(await screen.findByText(/图片加载失败/)).toBeTruthy()
  await waitFor(() => expect(print).toHaveBeenCalled())
})

it('more than fifty pictures, and files that may not be read, are refused', async () => {
  const many = Array.from({ length: 51 }, (_, at) => `${String(at).padStart(22, '0')}.png`)
  await open(`files=${many.join(',')}`, { '/v1/file/info': { list: [] } })
  expect(await screen.findByText('一次最多打印50张图片')).toBeTruthy()
  await open('kind=licence&sn=6', { '/v1/business/licence/info': { code: 2001, msg: '没有操作权限' } })
  expect(await screen.findByText('文件不存在或无权限')).toBeTruthy()
})

it('a scan that is a PDF is printed with the others, page by page', async () => {
  const pdf = `${'b'.repeat(22)}.pdf`
  await open('kind=licence&sn=5', {
    '/v1/business/licence/info': { info: licence },
    '/v1/file/info': { list: [{ name: pdf, original_name: '许可证.pdf', pages: 2 }] },
  })
  await screen.findAllByText(/共3张/)
  const sources = screen
    .getAllByRole('img')
    .map(image => image.getAttribute('src') ?? '')
    .filter(source => source.startsWith('/file/'))
  const page = (number: number) => `/file/${pdf}?action=print&page=${number}`
  expect(sources).toEqual([`/file/${name('a')}?action=print`, page(1), page(2)])
})
